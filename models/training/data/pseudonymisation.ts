import { movablePositions, moveEveryToken } from '../../certification/move.js';
import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from './examples.js';

/**
 * The baseline of Friedrich et al. 2019, section 4: every PHI token becomes one of its N
 * neighbours, and the sentences are shuffled.
 */
export function pseudonymise(
  examples: readonly TextExample[],
  candidates: Candidates,
  random: Random,
): TextExample[] {
  const moved = movedTokens(examples, candidates, random);
  random.shuffle(moved);
  return moved;
}

/**
 * The same where a word is moved to one neighbour wherever it stands in a document, in whatever casing, as section 9
 * there discusses against sentences being put together by overlapping neighbours.
 */
export function pseudonymiseByDocument(
  examples: readonly TextExample[],
  candidates: Candidates,
  vocabulary: Vocabulary,
  random: Random,
): TextExample[] {
  const moved = movedByDocument(examples, candidates, vocabulary, random);
  random.shuffle(moved);
  return moved;
}

/** Each PHI token moved on its own, in the order given. */
export function movedTokens(
  examples: readonly TextExample[],
  candidates: Candidates,
  random: Random,
): TextExample[] {
  return examples.map((example) => ({
    ...example,
    ids: moveEveryToken(example, candidates, random),
  }));
}

/** Each PHI word moved to one neighbour in each document, in the order given. */
export function movedByDocument(
  examples: readonly TextExample[],
  candidates: Candidates,
  vocabulary: Vocabulary,
  random: Random,
): TextExample[] {
  const drawn = new Map<string, number>();
  return examples.map((example) => {
    const ids = example.ids.slice();
    for (const position of movablePositions(example, candidates)) {
      const id = ids[position] as number;
      const key = `${example.documentIndex} ${vocabulary.uncased(id)}`;
      const other = drawn.get(key) ?? candidates.draw(id, random);
      drawn.set(key, other);
      ids[position] = vocabulary.inCasing(other, vocabulary.casing(id));
    }
    return { ...example, ids };
  });
}

/** The notes as they are, followed by `copies` of them, each pseudonymised on its own. */
export function withPseudonymised(
  examples: readonly TextExample[],
  copies: number,
  candidates: Candidates,
  random: Random,
): TextExample[] {
  const added = Array.from({ length: copies }, () => pseudonymise(examples, candidates, random));
  return [...examples, ...added.flat()];
}
