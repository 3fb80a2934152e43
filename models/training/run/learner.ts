import type { NamedArray, NamedArrays } from '../../networks/named-arrays.js';
import type { Parameters } from '../../networks/parameters.js';
import { Adam, Nadam } from '../../tensor/optimiser.js';
import * as tf from '../../tensor/tf.js';
import { LEARNER_DEFAULTS, type LearnerOptions } from './learner-options.js';
import { WeightAverage } from './weight-average.js';

/** Some networks' parameters and the optimiser that moves them; no other weight changes. */
export class Learner {
  readonly #variables: tf.Variable[];
  readonly #optimiser: Adam | Nadam;
  readonly #average: WeightAverage | undefined;

  constructor(parameters: readonly Parameters[], options: LearnerOptions = LEARNER_DEFAULTS) {
    this.#variables = parameters.flatMap((owner) => owner.variables());
    this.#optimiser = new (options.optimiser === 'adam' ? Adam : Nadam)(this.#variables, options);
    const { averaging = 0 } = options;
    if (averaging > 0) this.#average = new WeightAverage(this.#variables, averaging);
  }

  /** One step down the gradient of `loss`; returns the loss before the step. */
  step(loss: () => tf.Scalar): number {
    return tf.tidy(() => {
      const { value, grads } = tf.variableGrads(loss, this.#variables);
      const before = value.dataSync<'float32'>()[0];
      if (Number.isFinite(before)) {
        this.#optimiser.apply(this.#complete(grads));
        this.#average?.update();
      }
      return before;
    });
  }

  /** A variable that the loss does not reach has gradient zero (trained vectors no word needs). */
  #complete(gradients: tf.NamedTensorMap): tf.NamedTensorMap {
    return Object.fromEntries(
      this.#variables.map((each) => [each.name, gradients[each.name] ?? tf.zerosLike(each)]),
    );
  }

  /** Puts averages in place of the weights, where there are some; what is returned puts the weights back. */
  useAverages(): () => void {
    return this.#average?.use() ?? (() => undefined);
  }

  /** The optimiser's moments and step, and averages; a variable is named by its place. */
  state(): NamedArrays {
    const arrays: Record<string, NamedArray> = {};
    for (const [key, data] of Object.entries(this.#optimiser.state())) {
      arrays[this.#placed(key)] = { shape: [data.length], data };
    }
    return { ...arrays, ...this.#averageState() };
  }

  restore(state: NamedArrays): void {
    const named: Record<string, Float32Array> = {};
    for (const key of Object.keys(this.#optimiser.state())) {
      const array = state[this.#placed(key)];
      if (array) named[key] = array.data;
    }
    this.#optimiser.restore(named);
    this.#restoreAverage(state);
  }

  /** Forgets the moments and the averages: the next step is the first. */
  restart(): void {
    this.#average?.restart();
    const state = this.#optimiser.state();
    for (const values of Object.values(state)) values.fill(0);
    this.#optimiser.restore(state);
  }

  /** Frees the optimiser's moments; the networks stay. */
  dispose(): void {
    this.#optimiser.dispose();
  }

  #averageState(): NamedArrays {
    if (!this.#average) return {};
    const { step, averages } = this.#average.state();
    const arrays: [string, NamedArray][] = averages.map((data, i) => [
      `${i}/average`,
      { shape: [data.length], data },
    ]);
    return {
      ...Object.fromEntries(arrays),
      averagedSteps: { shape: [1], data: Float32Array.of(step) },
    };
  }

  #restoreAverage(state: NamedArrays): void {
    const step = state.averagedSteps?.data[0];
    if (!this.#average || step === undefined) return;
    const averages = this.#variables.map((_, i) => state[`${i}/average`]?.data as Float32Array);
    this.#average.restore({ step, averages });
  }

  /** Names of tensors differ between processes, places do not: `variable_7/m` to `0/m`. */
  #placed(key: string): string {
    const slash = key.lastIndexOf('/');
    if (slash < 0) return key;
    const place = this.#variables.findIndex(({ name }) => name === key.slice(0, slash));
    return `${place}${key.slice(slash)}`;
  }
}
