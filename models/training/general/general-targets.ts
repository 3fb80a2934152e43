import { isPhi, movablePositions } from '../../certification/move.js';
import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import { isPunctuation } from '../../embeddings/word-shape.js';
import { CASINGS } from '../../text/casing.js';
import type { Batch } from '../data/batch.js';
import type { TextExample } from '../data/examples.js';

/** Whether f may be taught to keep the word at a position. */
export type TargetRule = (example: TextExample, position: number) => boolean;

type Words = Pick<Vocabulary, 'trained' | 'wordOf' | 'casing'>;

const ALL_LOWER = CASINGS.indexOf('all lower');

/**
 * Words, in lower case, that name somebody or something in notes and could be another there. f is to hide
 * them, so that it is not to keep them elsewhere: "madre" who is ill and "madre" in general are one input.
 */
export function namingWords(
  examples: readonly TextExample[],
  words: Pick<Vocabulary, 'wordOf'>,
  candidates: Candidates,
): ReadonlySet<string> {
  const naming = new Set<string>();
  for (const example of examples)
    for (const position of movablePositions(example, candidates)) {
      const word = words.wordOf(example.ids[position] as number);
      if (word !== undefined) naming.add(word.toLowerCase());
    }
  return naming;
}

/**
 * In labelled notes: words that are no PHI and name nobody elsewhere, have a public vector and are not
 * punctuation alone.
 */
export function labelledTargets(words: Words, naming: ReadonlySet<string>): TargetRule {
  return (example, position) =>
    !isPhi(example, position) && isPublicWord(words, naming, example.ids[position] as number);
}

/**
 * In text without labels nobody says what is a name: words that are not written in lower case
 * throughout are left out besides, and with them names, codes and numbers. A name in lower case is a
 * target all the same.
 */
export function unlabelledTargets(words: Words, naming: ReadonlySet<string>): TargetRule {
  return ({ ids }, position) => {
    const id = ids[position] as number;
    return words.casing(id) === ALL_LOWER && isPublicWord(words, naming, id);
  };
}

function isPublicWord(words: Words, naming: ReadonlySet<string>, id: number): boolean {
  if (words.trained(id) > 0) return false;
  const word = words.wordOf(id);
  return word !== undefined && !isPunctuation(word) && !naming.has(word.toLowerCase());
}

/** What a head is to say, and from which releases. */
export interface Targets {
  /** [N], rows of releases [B·T, d]. */
  readonly places: Int32Array;
  /** [N], vocabulary ids of the words to predict. */
  readonly words: Int32Array;
}

/** The targets of a batch, each to be read off the token that stands `offset` after it. */
export function targetsOf(
  { examples, steps }: Batch<TextExample>,
  isTarget: TargetRule,
  offset = 0,
): Targets {
  const places: number[] = [];
  const words: number[] = [];
  examples.forEach((example, row) => {
    const { length } = example.ids;
    for (let t = Math.max(0, -offset); t < length && t + offset < length; t++) {
      if (!isTarget(example, t)) continue;
      places.push(row * steps + t + offset);
      words.push(example.ids[t] as number);
    }
  });
  return { places: Int32Array.from(places), words: Int32Array.from(words) };
}

/** The words of sentences that can be targets. */
export function* targetWords(
  examples: readonly TextExample[],
  isTarget: TargetRule,
): Generator<number> {
  for (const example of examples)
    for (const [position, id] of example.ids.entries()) if (isTarget(example, position)) yield id;
}
