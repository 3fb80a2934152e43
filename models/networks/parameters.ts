import { TacetError } from '../../proto/errors.js';
import { copyOf } from '../tensor/consume.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { drawWeights, type InitialWeights } from './initial-weights.js';
import type { NamedArray, NamedArrays } from './named-arrays.js';

/** The trainable weights of one network, by the names that its bundle and checkpoints use. */
export class Parameters {
  readonly #variables: ReadonlyMap<string, tf.Variable>;

  constructor(initial: NamedArrays) {
    this.#variables = new Map(
      Object.entries(initial).map(([name, { shape, data }]) => [
        name,
        tf.tidy(() => tf.variable(tf.tensor(data, [...shape]))),
      ]),
    );
  }

  /** Of an untrained network. */
  static fresh(initial: InitialWeights, random: Random): Parameters {
    return new Parameters(drawWeights(initial, random));
  }

  /** A weight of one dimension. */
  vector(name: string): tf.Tensor1D {
    return this.#get(name) as tf.Tensor1D;
  }

  /** A weight of two dimensions. */
  matrix(name: string): tf.Tensor2D {
    return this.#get(name) as tf.Tensor2D;
  }

  variables(): tf.Variable[] {
    return [...this.#variables.values()];
  }

  /** A copy of every weight. */
  toArrays(): NamedArrays {
    const arrays: Record<string, NamedArray> = {};
    for (const [name, variable] of this.#variables) {
      arrays[name] = { shape: variable.shape, data: copyOf(variable) };
    }
    return arrays;
  }

  /** Takes over every weight; names and shapes must be this network's own. */
  load(arrays: NamedArrays): void {
    for (const [name, variable] of this.#variables) {
      const array = arrays[name];
      if (!array || array.shape.join() !== variable.shape.join()) {
        const found = array ? `[${array.shape}]` : 'nothing';
        throw new TacetError(
          'checkpoint-invalid',
          `weight '${name}' should be [${variable.shape}], found ${found}`,
        );
      }
      tf.tidy(() => variable.assign(tf.tensor(array.data, [...array.shape])));
    }
  }

  dispose(): void {
    for (const variable of this.#variables.values()) variable.dispose();
  }

  #get(name: string): tf.Tensor {
    const variable = this.#variables.get(name);
    if (!variable) throw new TacetError('tensor-invalid', `the network has no weight '${name}'`);
    return variable;
  }
}
