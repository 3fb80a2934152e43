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
 * The known-noise attack on whole sentences: several PHI words of a real sentence are hidden at once,
 * each among its N candidates, and the attacker looks for the words that the release is likeliest
 * under, times how likely its language model finds them. There the words are those that were written:
 * that is what a language model can know something of. So the model alone is reported beside it.
 * The same search without the model is for words that were drawn uniformly from their candidates and
 * encoded anew, where one guess is as good as another; in releases that were given it is for the written
 * words, and guessing is what the lists of candidates give away.
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
