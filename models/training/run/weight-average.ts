import { borrow, copyOf } from '../../tensor/consume.js';
import type * as tf from '../../tensor/tf.js';
import { tensor } from '../../tensor/tf.js';

/** In so many steps of the first ones as much is forgotten as is new. */
const WARMUP_STEPS = 9;

/**
 * The exponential average of weights over steps (Polyak and Juditsky 1992; as by Izmailov et al. 2018, it
 * lies where validation is flatter than at any step). Of step t = 0, 1, ... it keeps the share
 * min(decay, t / (t + 9)), so that the start is soon forgotten.
 */
export class WeightAverage {
  readonly #averages: readonly Float32Array[];
  #step = 0;

  constructor(
    readonly variables: readonly tf.Variable[],
    readonly decay: number,
  ) {
    this.#averages = variables.map((variable) => new Float32Array(variable.size));
  }

  /** After each step of the optimiser. */
  update(): void {
    const kept = Math.min(this.decay, this.#step / (this.#step + WARMUP_STEPS));
    this.variables.forEach((variable, i) => {
      const average = this.#averages[i] as Float32Array;
      borrow(variable, (weights) => {
        for (let j = 0; j < average.length; j++)
          average[j] = kept * average[j] + (1 - kept) * weights[j];
      });
    });
    this.#step++;
  }

  /** Puts the averages in place of the weights; what is returned puts the weights back. */
  use(): () => void {
    if (this.#step === 0) return () => undefined;
    const weights = this.variables.map(copyOf);
    this.#assign(this.#averages);
    return () => this.#assign(weights);
  }

  /** Begins anew with the next step. */
  restart(): void {
    this.#step = 0;
  }

  /** For a checkpoint: the steps, and the average of each variable in its place. */
  state(): { readonly step: number; readonly averages: readonly Float32Array[] } {
    return { step: this.#step, averages: this.#averages.map((average) => average.slice()) };
  }

  restore({ step, averages }: ReturnType<WeightAverage['state']>): void {
    this.#step = step;
    this.#averages.forEach((average, i) => {
      average.set(averages[i] as Float32Array);
    });
  }

  #assign(values: readonly Float32Array[]): void {
    this.variables.forEach((variable, i) => {
      const assigned = tensor((values[i] as Float32Array).slice(), variable.shape);
      variable.assign(assigned);
      assigned.dispose();
    });
  }
}
