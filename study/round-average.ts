/**
 * The exponential average of the weights that everybody has after each round, as `learner.averaging` keeps one of those
 * after each step (`WeightAverage`): what it forgets in as many steps as a round has.
 */
export class RoundAverage {
  readonly #average: Float32Array;
  #rounds = 0;

  constructor(
    weights: number,
    private readonly decay: number,
  ) {
    this.#average = new Float32Array(weights);
  }

  get weights(): Float32Array {
    return this.#average;
  }

  /** [N], after a round. */
  add(weights: Float32Array): void {
    const kept = Math.min(this.decay, this.#rounds / (this.#rounds + 1));
    this.#average.forEach((value, i) => {
      this.#average[i] = kept * value + (1 - kept) * (weights[i] as number);
    });
    this.#rounds++;
  }
}
