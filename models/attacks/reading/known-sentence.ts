import type { Random } from '../../tensor/random.js';
import type * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/data/examples.js';
import type { Attack, AttackContext, AttackReport } from '../attack.js';
import { LanguagePrior } from '../likelihood/language-prior.js';
import { likelihoods } from '../likelihood/likelihoods.js';
import { observeNotes } from '../likelihood/observe.js';
import { withWord } from '../likelihood/pair-trials.js';
import { rankOf } from '../likelihood/rank.js';
import { chooseScorer, SCORER_NAMES, type Scorer } from '../likelihood/scorer.js';
import { overTrials } from '../over-trials.js';
import { attackReport, type Outcome, shortenedTo } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { type SentenceTraits, TraitReader } from '../traits.js';
import { contentWords } from './content-words.js';
import { coverage, type HiddenWord, hiddenWords } from './hidden-word.js';

export interface ReadingOptions {
  /** Words to read, at most; no sentence has two of them. */
  readonly trials?: number;
  /** V, the words that one is read from, the most frequent of the attacker's notes. */
  readonly words?: number;
  readonly draws?: number;
}

const LEAST_WORDS = 10;

interface Prepared {
  readonly scorer: Scorer;
  readonly prior: LanguagePrior;
  readonly words: readonly number[];
  readonly hidden: readonly HiddenWord[];
}

interface ReadWord {
  readonly documentIndex: number;
  readonly traits: SentenceTraits;
  /** How many words were likelier than the true one: with the vectors, and by the language model alone. */
  readonly rank: number;
  readonly priorRank: number;
}

interface Found {
  readonly read: readonly ReadWord[];
  readonly planned: number;
  readonly settings: AttackReport['settings'];
}

/**
 * The attacker has the bundle and a sentence but for one word that is no PHI, and reads the word: of V
 * content words of its own notes the one with the greatest likelihood of the release times its probability
 * under a bigram model of these notes and, where it has them, of the provider's. Guessing is the language model
 * alone, on the same words. Words outside the V are not tried; the settings say how many are inside.
 */
export function readKnownSentence({
  trials = 150,
  words: most = 500,
  draws = 4,
}: ReadingOptions = {}): Attack<Prepared, Found> {
  return {
    name: 'reading-known-sentence',
    minutes: 1,
    reports: 1,
    obstacle: (target) =>
      hiddenWords(target, wordsOf(target, most)).length < LEAST_WORDS
        ? `reading a word of a known sentence: fewer than ${LEAST_WORDS} sentences have one that the attacker’s notes hold`
        : undefined,
    async prepare(target, { random }) {
      const words = wordsOf(target, most);
      const hidden = hiddenWords(target, words, random.fork('hidden'));
      return {
        scorer: chooseScorer(target, draws, random.fork('choose')),
        prior: new LanguagePrior(learntFrom(target), target.validation),
        words,
        hidden: hidden.slice(0, trials),
      };
    },
    async run(target, context, prepared) {
      const { scorer, words, hidden } = prepared;
      const random = context.random.fork('trials');
      const traits = new TraitReader(target);
      const read = await overTrials(
        hidden,
        { step: 'reading a known sentence', unit: 'sentences', least: 2 },
        context,
        (word, i): ReadWord => ({
          documentIndex: word.example.documentIndex,
          traits: traits.ofSentence(word.example),
          ...ranksOf(word, target, prepared, draws, random.fork(`${i}`)),
        }),
      );
      const settings = {
        words: words.length,
        coverage: Number(coverage(target, words).toFixed(3)),
        draws,
        likelihood: SCORER_NAMES[scorer],
      };
      return { read, planned: hidden.length, settings };
    },
    report: (found, context) => readingReports(found, most, context),
  };
}

/** Of a hidden word among all that are tried, in its casing and its sentence. */
function ranksOf(
  { example, position }: HiddenWord,
  target: AuditTarget,
  { scorer, prior, words }: Prepared,
  draws: number,
  random: Random,
): Pick<ReadWord, 'rank' | 'priorRank'> {
  const { vocabulary } = target;
  const id = example.ids[position];
  const truth = words.indexOf(vocabulary.uncased(id));
  const casing = vocabulary.casing(id);
  const sentences = words.map((word, v) =>
    withWord(example.ids, position, v === truth ? id : vocabulary.inCasing(word, casing)),
  );
  const logs = sentences.map((ids) => prior.logProbability(ids, example.labels, [position]));
  const scores = scoresOf(target, example, sentences, { scorer, draws }, random);
  const posterior = logs.map((log, v) => log + scores[v]);
  return { rank: rankOf(posterior, truth, random), priorRank: rankOf(logs, truth, random) };
}

/** With the vectors, and by the language model alone. */
function readingReports(
  { read, planned, settings }: Found,
  most: number,
  context: AttackContext,
): AttackReport[] {
  const rest = {
    task: 'read a word of a known sentence',
    settings,
    shortened: shortenedTo(read.length, planned, 'sentences'),
  } as const;
  const description = `knows the model and a sentence but for one word that is no PHI, and reads it by likelihood and a language model from up to ${most} words; guessing is the language model alone`;
  const own = { name: 'reading-known-sentence', attack: 'reading-known-sentence' } as const;
  const prior = {
    name: 'reading-known-sentence-prior-alone',
    attack: 'reading-known-sentence-prior-alone',
    role: 'lower baseline',
    description: 'the language model alone, without any vectors',
  } as const;
  const outcomes = (by: 'rank' | 'priorRank') => read.map((word) => outcomeOf(word, word[by]));
  const uniform = 1 / Math.max(1, Number(settings.words));
  return [
    attackReport({ ...rest, ...own, description }, outcomes('rank'), 'tried', context),
    attackReport({ ...rest, ...prior }, outcomes('priorRank'), uniform, context),
  ];
}

function outcomeOf({ documentIndex, traits, priorRank }: ReadWord, rank: number): Outcome {
  return {
    ...{ documentIndex, traits, guessed: Number(priorRank === 0) },
    ...{ success: rank === 0, inTopFive: rank < 5, inTopTen: rank < 10 },
  };
}

/** What the attacker has read before: its own notes, and the provider's where it has them. */
function learntFrom({ train, members = [] }: AuditTarget): readonly TextExample[] {
  return [...train, ...members];
}

function wordsOf(target: AuditTarget, most: number): number[] {
  return contentWords(learntFrom(target), target.vocabulary, most);
}

/** log p(release | sentence) of each of the sentences, up to a constant. */
function scoresOf(
  target: AuditTarget,
  example: TextExample,
  sentences: readonly Int32Array[],
  { scorer, draws }: { readonly scorer: Scorer; readonly draws: number },
  random: Random,
): Float64Array {
  const { representation, vocabulary } = target;
  const released = observeNotes(target, [example], random.fork('release'));
  return likelihoods(
    representation,
    vocabulary,
    sentences,
    released.reshape<tf.Tensor2D>([1, -1]),
    draws,
    random,
  )[scorer];
}
