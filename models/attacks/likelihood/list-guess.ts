import { rowVector } from '../../embeddings/embeddings.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Random } from '../../tensor/random.js';

/**
 * Guesses a word from nothing but the list of its candidates, and returns the option to answer with. A
 * list is made of the neighbours of its word, so the option nearest to their centre is the likeliest. A
 * word outside the embedding matrix has neighbours inside it, so the only option outside is the word.
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
