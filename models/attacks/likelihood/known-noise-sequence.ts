import type { Attack } from '../attack.js';
import { overTrials } from '../over-trials.js';
import { shareOfNotes } from '../share-of-notes.js';
import { TraitReader } from '../traits.js';
import { readHidden } from './hidden-reading.js';
import { SWEEPS } from './hidden-search.js';
import { hiddenWords } from './hidden-words.js';
import { LanguagePrior } from './language-prior.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from './scorer.js';
import { type SequenceFound, sequenceReports } from './sequence-reports.js';

export interface SequenceOptions {
  /** Sentences to attack. */
  readonly trials?: number;
  /** Hidden words of a sentence, at most. */
  readonly words?: number;
  readonly draws?: number;
  readonly width?: number;
}

/** Shares of the attacker's notes that priors are learnt from. */
const SHARES = [1 / 8, 1 / 4, 1 / 2, 1];

interface Priors {
  readonly scorer: Scorer;
  /** Learnt from each share of the notes; the last from all of them. */
  readonly priors: readonly LanguagePrior[];
  readonly documents: readonly number[];
}

/**
 * The known-noise attack on several words at once. PHI words of a real sentence are hidden, each among
 * its N candidates, and the attacker looks for the words that make the release likeliest, weighted by its
 * language model. It gives three reports:
 *
 *   with the model      for the words as they were written, of which a language model knows something
 *   without the model   for words drawn uniformly from their candidates and encoded anew; in releases
 *                       that were given, for the written words, against guessing by their candidates
 *   the model alone     a baseline, without any vectors
 */
export function knownNoiseSequence({
  trials = 120,
  words = 4,
  draws = 8,
  width = 2,
}: SequenceOptions = {}): Attack<Priors, SequenceFound> {
  return {
    name: 'known-noise-sequence',
    minutes: 1.5,
    reports: 2,
    async prepare(target, { random }) {
      const shares = SHARES.map((share) => shareOfNotes(target.train, share));
      return {
        scorer: chooseScorer(target, draws, random.fork('choose')),
        priors: shares.map(({ examples }) => new LanguagePrior(examples, target.validation)),
        documents: shares.map(({ documents }) => documents),
      };
    },
    async run(target, context, { scorer, priors, documents }) {
      const { random } = context;
      const planned = hiddenWords(target, trials, words, random.fork('hidden'));
      const traits = new TraitReader(target);
      const read = await overTrials(
        planned,
        { step: 'known noise, sequences', unit: 'sentences', least: 2 },
        context,
        (hidden, i) => {
          const own = { scorer, draws, width, random: random.fork(`trial-${i}`) };
          return readHidden(target, hidden, priors, traits, own);
        },
      );
      const [uniform, label, bigram] = (priors.at(-1)?.weights ?? []).map((weight) =>
        Number(weight.toFixed(4)),
      );
      const settings = {
        words,
        draws,
        width,
        sweeps: SWEEPS,
        likelihood: SCORER_NAMES[scorer],
        prior: `bigram with labels, interpolated: ${bigram} bigram, ${label} label, ${uniform} uniform`,
      };
      return {
        written: read.flatMap((each) => each.written),
        plain: read.flatMap((each) => each.plain),
        ...{ sentences: read.length, planned: planned.length, documents, settings },
      };
    },
    report: sequenceReports,
  };
}
