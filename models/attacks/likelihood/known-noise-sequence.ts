import { setImmediate } from 'node:timers/promises';
import { scoped } from '../../tensor/scoped.js';
import type { Attack } from '../attack.js';
import { TraitReader } from '../inversion/traits.js';
import { shareOfNotes } from '../share-of-notes.js';
import { type PlainWord, readHidden, type WrittenWord } from './hidden-reading.js';
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
      const { random, expired, signal, progress } = context;
      const planned = hiddenWords(target, trials, words, random.fork('hidden'));
      const traits = new TraitReader(target);
      const written: WrittenWord[] = [];
      const plain: PlainWord[] = [];
      let sentences = 0;
      for (const hidden of planned) {
        signal?.throwIfAborted();
        if (sentences > 1 && expired?.()) break;
        progress?.({
          step: 'known noise, sequences',
          done: sentences,
          total: planned.length,
          unit: 'sentences',
        });
        const own = { scorer, draws, width, random: random.fork(`trial-${sentences}`) };
        const read = scoped(() => readHidden(target, hidden, priors, traits, own));
        written.push(...read.written);
        plain.push(...read.plain);
        sentences += 1;
        await setImmediate();
      }
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
      return { written, plain, sentences, planned: planned.length, documents, settings };
    },
    report: sequenceReports,
  };
}
