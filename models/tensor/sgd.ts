import { TacetError } from '../../proto/errors.js';
import { squaredNorm } from './moment-update.js';
import * as tf from './tf.js';

export interface SgdOptions {
  readonly learningRate: number;
  /** Each number of a gradient is clamped to ± this first. */
  readonly clipValue?: number;
}

/** Plain stochastic gradient descent: `p -= learningRate g`. */
export class Sgd {
  /** Throws `config-invalid` for an option that is not a number over 0. */
  constructor(
    private readonly variables: readonly tf.Variable[],
    private readonly options: SgdOptions,
  ) {
    for (const [name, value] of Object.entries(options)) {
      if (value > 0) continue;
      throw new TacetError('config-invalid', `SGD: ${name} is ${value}; expected a number over 0`);
    }
  }

  /**
   * Takes one step along `gradients`, one a variable under its name. Throws `training-diverged`, with all
   * variables as they were, where one is not finite.
   */
  apply(gradients: Readonly<Record<string, tf.Tensor>>): void {
    const { learningRate, clipValue } = this.options;
    const found = this.variables.map(({ name }) => gradients[name] as tf.Tensor);
    if (!Number.isFinite(squaredNorm(found)))
      throw new TacetError(
        'training-diverged',
        'a gradient of SGD is not finite; no weight was changed; lower the learning rate or check the data',
      );
    this.variables.forEach((variable, i) => {
      tf.tidy(() => {
        const gradient = found[i] as tf.Tensor;
        const clamped = clipValue ? gradient.clipByValue(-clipValue, clipValue) : gradient;
        variable.assign(variable.sub(clamped.mul(learningRate)));
      });
    });
  }

  /** Nothing is kept from step to step. */
  dispose(): void {}
}
