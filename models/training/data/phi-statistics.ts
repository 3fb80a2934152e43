import { isPhi } from '../../certification/move.js';
import { type Candidates, IMMOVABLE, type Immovable } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import { tokensOf } from './batch.js';
import type { TextExample } from './examples.js';

/** What `move` can do on some notes. */
export interface PhiStatistics {
  readonly sentences: number;
  /** Sentences with a movable PHI token: the only ones that make pairs. */
  readonly pairSentences: number;
  readonly tokens: number;
  readonly phiTokens: number;
  /** PHI tokens that no pair, bound or pseudonym ever changes. */
  readonly immovable: number;
  readonly immovableBy: Readonly<Record<Immovable, number>>;
}

/** The statistics of a run's notes, and of the lists that it moves words within. */
export interface RunStatistics {
  /** N */
  readonly neighbours: number;
  /** Of the PHI words that are not digits: no list is longer than N. */
  readonly lists: {
    readonly words: number;
    readonly shortest: number;
    readonly longest: number;
    /**
     * How many of a list, in the mean, hold the word that it is for (Friedrich et al. 2019, section 9: 7.37 of 100
     * for fastText, 0.44 for GloVe); the word itself is none of them.
     */
    readonly containing: number;
  };
  /** What a digits-only word may become; 0 where no PHI word is one. */
  readonly digitCandidates: number;
  readonly train: PhiStatistics;
  readonly validation: PhiStatistics;
}

export function runStatistics(
  { train, validation }: Readonly<Record<'train' | 'validation', readonly TextExample[]>>,
  phiWords: ReadonlySet<number>,
  candidates: Candidates,
  vocabulary: Vocabulary,
): RunStatistics {
  const movable = [...phiWords].filter((id) => candidates.isMovable(id));
  const digits = movable.filter((id) => vocabulary.isDigits(id));
  const words = movable.filter((id) => !vocabulary.isDigits(id));
  const lengths = words.map((id) => candidates.of(id).length);
  const containing = words.map((id) => countContaining(id, candidates, vocabulary));
  return {
    neighbours: candidates.count,
    lists: {
      words: lengths.length,
      shortest: lengths.reduce((a, b) => Math.min(a, b), candidates.count),
      longest: lengths.reduce((a, b) => Math.max(a, b), 0),
      containing: containing.reduce((a, b) => a + b, 0) / Math.max(1, words.length),
    },
    digitCandidates: digits.length > 0 ? candidates.of(digits[0]).length : 0,
    train: phiStatistics(train, candidates),
    validation: phiStatistics(validation, candidates),
  };
}

/** How many neighbours of a word contain it, whatever their casing; 0 for a word without a spelling. */
export function countContaining(
  id: number,
  candidates: Candidates,
  vocabulary: Vocabulary,
): number {
  const word = vocabulary.wordOf(id)?.toLowerCase();
  if (word === undefined) return 0;
  const others = [...candidates.of(id)].filter((each) => each !== id);
  return others.filter((each) => vocabulary.wordOf(each)?.toLowerCase().includes(word)).length;
}

export function phiStatistics(
  examples: readonly TextExample[],
  candidates: Candidates,
): PhiStatistics {
  const immovableBy = Object.fromEntries(IMMOVABLE.map((reason) => [reason, 0])) as Record<
    Immovable,
    number
  >;
  let phiTokens = 0;
  let immovable = 0;
  let pairSentences = 0;
  for (const example of examples) {
    let movable = false;
    example.ids.forEach((id, position) => {
      if (!isPhi(example, position)) return;
      phiTokens += 1;
      const reason = candidates.reason(id);
      if (reason === undefined) {
        movable = true;
        return;
      }
      immovable += 1;
      immovableBy[reason] += 1;
    });
    if (movable) pairSentences += 1;
  }
  const tokens = tokensOf(examples);
  return { sentences: examples.length, pairSentences, tokens, phiTokens, immovable, immovableBy };
}

/** For people. */
export function statisticsLine({ neighbours, train }: RunStatistics): string {
  const reasons = Object.entries(train.immovableBy)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${reason} ${count}`);
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : '';
  return (
    `PHI to train on: ${train.phiTokens} tokens, ${train.immovable} of them immovable${why}; ` +
    `${train.pairSentences} of ${train.sentences} sentences make pairs, N = ${neighbours}`
  );
}
