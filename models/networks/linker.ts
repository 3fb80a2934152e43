import { dense } from '../tensor/dense.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { glorotUniform, zeros } from './initialisers.js';
import { Parameters } from './parameters.js';

const HIDDEN = 64;

/** Judges whether two vectors stand for one word: two dense layers on what is symmetric in them. */
export class Linker {
  readonly parameters: Parameters;

  constructor(dimension: number, random: Random) {
    this.parameters = new Parameters({
      'hidden/kernel': glorotUniform(2 * dimension + 2, HIDDEN, random),
      'hidden/bias': zeros(HIDDEN),
      'output/kernel': glorotUniform(HIDDEN, 1, random),
      'output/bias': zeros(1),
    });
  }

  /** Log-odds that the words are one: a, b [P, d] to [P]. */
  logits(a: tf.Tensor2D, b: tf.Tensor2D): tf.Tensor1D {
    const product = a.mul(b);
    const difference = a.sub(b).abs();
    const distance = difference.square().sum(1, true).add(1e-12).sqrt();
    const norms = tf.sqrt(a.square().sum(1, true).mul(b.square().sum(1, true)).add(1e-12));
    const cosine = product.sum(1, true).div(norms);
    const features = tf.concat2d([product, difference, cosine, distance] as tf.Tensor2D[], 1);
    const hidden = this.#layer('hidden', features, 'relu'); // [P, HIDDEN]
    return this.#layer('output', hidden).reshape([-1]);
  }

  #layer(name: string, x: tf.Tensor, activation?: 'relu') {
    const kernel = this.parameters.matrix(`${name}/kernel`);
    return dense(x, kernel, this.parameters.vector(`${name}/bias`), activation);
  }
}
