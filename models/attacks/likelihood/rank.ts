import type { Random } from '../../tensor/random.js';

/** How many other options score higher than the true one; ties are broken by chance. */
export function rankOf(
  scores: ArrayLike<number>,
  truth: number,
  random: Pick<Random, 'integer'>,
): number {
  let higher = 0;
  let equal = 0;
  for (let i = 0; i < scores.length; i++) {
    if (scores[i] > scores[truth]) higher += 1;
    if (scores[i] === scores[truth]) equal += 1;
  }
  return higher + random.integer(equal);
}
