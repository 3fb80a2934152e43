/**
 * The exponential average of the weights that everybody has after each round, as `learner.averaging` keeps one of those
 * after each step (`WeightAverage`).
 */
export class RoundAverage {
  /** [N], which nobody else changes. */
  readonly weights: Float32Array;

  /**
   * Of so many rounds [N]; before the first whatever has the size. `decay` is what a later round leaves of the average; of
   * the first ones it is the mean.
   */
  constructor(
    weights: Float32Array,
    private readonly decay: number,
    public rounds = 0,
  ) {
    this.weights = weights.slice();
  }

  /** [N], after a round. */
  add(weights: Float32Array): void {
    const kept = Math.min(this.decay, this.rounds / (this.rounds + 1));
    this.weights.forEach((value, i) => {
      this.weights[i] = kept * value + (1 - kept) * (weights[i] as number);
    });
    this.rounds++;
  }
}
