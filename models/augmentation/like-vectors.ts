import { type Embeddings, rowVector } from '../embeddings/embeddings.js';

/** A word stands for another from this cosine on, and of so many at most one is drawn; numbers of PHICON's code, which halves the first. */
export const LEAST_COSINE = 0.7;
export const MOST_SUBSTITUTES = 10;

/** Letters that two words share at their beginning where they are forms of one. */
const STEM_LETTERS = 5;

/** Whether both are forms of one word, as far as their beginnings tell. */
export function areForms(one: string, other: string): boolean {
  const letters = Math.min(STEM_LETTERS, Math.max(3, Math.min(one.length, other.length) - 1));
  return one.slice(0, letters) === other.slice(0, letters);
}

/** Those of `words` whose vector is near enough to that of `word`, nearest first; `MOST_SUBSTITUTES` at most. */
export function nearestAmong(
  word: string,
  words: readonly string[],
  embeddings: Embeddings,
  least = LEAST_COSINE,
): readonly string[] {
  const own = vectorOf(word, embeddings);
  if (!own) return [];
  return [...new Set(words)]
    .flatMap((each) => {
      const row = embeddings.row(each);
      if (row < 0) return [];
      const at = cosine(own, rowVector(embeddings.matrix, embeddings.dimension, row));
      return at >= least ? [{ each, at }] : [];
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_SUBSTITUTES)
    .map(({ each }) => each);
}

function vectorOf(word: string, embeddings: Embeddings): Float32Array | undefined {
  const row = embeddings.row(word);
  return row < 0
    ? embeddings.subwordVector(word)
    : rowVector(embeddings.matrix, embeddings.dimension, row);
}

/** 0 where one of them is zero. */
function cosine(one: Float32Array, other: Float32Array): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  one.forEach((value, i) => {
    const against = other[i] as number;
    product += value * against;
    ofOne += value * value;
    ofOther += against * against;
  });
  return ofOne * ofOther === 0 ? 0 : product / Math.sqrt(ofOne * ofOther);
}
