/** One in so many upper ends may lie below the truth: the upper half of a 95 % interval. */
const ONE_IN = 40;
/** Shares of a fortune that are staked, and how the fortune is split over them. */
const STAKES = [1, 7 / 8, 3 / 4, 1 / 2, 1 / 4, 1 / 8];
const WEIGHTS = [1 / 2, 1 / 10, 1 / 10, 1 / 10, 1 / 10, 1 / 10];
const BISECTIONS = 24;

/**
 * An upper end for the mean of a quantity in [`least`, 1], from independent draws of it: below the mean
 * in at most one case of 40, for any number of draws and any distribution, however skewed. Student's t
 * has no such guarantee: where one draw in a hundred is large, few draws show none of those.
 *
 * Proof. Let Y = (1 − value) / (1 − least), in [0, 1], of mean m. For μ ≥ m and a stake θ in [0, 1] the
 * fortune Π(1 − θ + θYᵢ/μ) is never negative, and its expectation is Π(1 − θ + θm/μ) ≤ 1; so is that of
 * a weighted mean of such fortunes. By Markov's inequality it reaches 40 with probability 1/40 at most.
 * It falls in μ; so the μ where it is 40 lies above m in at most one case of 40 (betting as in
 * Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting").
 */
export function upperMean(values: ArrayLike<number>, least: number): number {
  const draws = Array.from(values, (value) => (1 - value) / (1 - least));
  const isRejected = (mean: number) => fortune(draws, mean) >= ONE_IN;
  let low = 0;
  let high = 1;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (isRejected(middle)) low = middle;
    else high = middle;
  }
  return 1 - (1 - least) * low;
}

function fortune(draws: readonly number[], mean: number): number {
  return STAKES.reduce((sum, stake, i) => {
    const logarithm = draws.reduce(
      (total, y) => total + Math.log(1 - stake + (stake * y) / mean),
      0,
    );
    return sum + (WEIGHTS[i] as number) * Math.exp(logarithm);
  }, 0);
}
