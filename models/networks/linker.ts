import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { Parameters } from './parameters.js';

const HIDDEN = 64;

/** Judges whether two mentions are of one word: two dense layers on what is symmetric in them. */
export class Linker {
  readonly parameters: Parameters;

  /** `widths`: the lengths of the vectors that each mention is seen by. */
  constructor(widths: readonly number[], random: Random) {
    const inputs = widths.reduce((sum, width) => sum + 2 * width + 2, 0);
    this.parameters = Parameters.fresh(
      { ...denseWeights('hidden', inputs, HIDDEN), ...denseWeights('output', HIDDEN, 1) },
      random,
    );
  }

  /** Log-odds that the words are one: of each width, one and other [P, width], to [P]. */
  logits(one: readonly tf.Tensor2D[], other: readonly tf.Tensor2D[]): tf.Tensor1D {
    const features = tf.concat2d(
      one.flatMap((vectors, at) => compared(vectors, other[at])),
      1,
    );
    const hidden = denseLayer(this.parameters, 'hidden', features, 'relu'); // [P, HIDDEN]
    return denseLayer(this.parameters, 'output', hidden).reshape([-1]);
  }
}

/** Product, difference, cosine and distance of vectors [P, D]: [P, 2D + 2] in parts. */
function compared(a: tf.Tensor2D, b: tf.Tensor2D): tf.Tensor2D[] {
  const product = a.mul<tf.Tensor2D>(b);
  const difference = a.sub(b).abs() as tf.Tensor2D;
  const distance = difference.square().sum(1, true).add(1e-12).sqrt() as tf.Tensor2D;
  const norms = tf.sqrt(a.square().sum(1, true).mul(b.square().sum(1, true)).add(1e-12));
  const cosine = product.sum(1, true).div<tf.Tensor2D>(norms);
  return [product, difference, cosine, distance];
}
