import { rowVector } from '../../embeddings/embeddings.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Random } from '../../tensor/random.js';

/**
 * What a list of candidates alone says of the word that it was made for: a word outside the embedding
 * matrix is the only such one of its own list, and any other lies in the middle of its neighbours. Gives
 * the option to answer with by that.
 */
export function guessFromList(
  vocabulary: Vocabulary,
  options: Int32Array,
  random: Pick<Random, 'integer'>,
): number {
  const outside = [...options.keys()].filter((option) => vocabulary.rowOf(options[option]) < 0);
  if (outside.length === 1) return outside[0];
  const directions = Array.from(options, (id) => directionOf(vocabulary, id));
  const centre = new Float64Array(vocabulary.dimension);
  for (const direction of directions) {
    for (let k = 0; k < centre.length; k++) centre[k] += direction[k];
  }
  const nearness = directions.map((direction) =>
    direction.reduce((sum, value, k) => sum + value * centre[k], 0),
  );
  const most = Math.max(...nearness);
  const nearest = [...nearness.keys()].filter((option) => nearness[option] === most);
  return nearest[random.integer(nearest.length)];
}

function directionOf(vocabulary: Vocabulary, id: number): Float32Array {
  const vector = rowVector(vocabulary.vectors(), vocabulary.dimension, id);
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
