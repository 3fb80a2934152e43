import { requireFinite } from './finite-check.js';
import { hasKernel, runKernel } from './kernel.js';
import {
  type CharacterWords,
  referenceMaximum,
  referenceMaximumGradient,
} from './reference/character-maximum.js';
import { checkFloats, checkShapes, extremesOf } from './shape-check.js';
import * as tf from './tf.js';

/** Words as codes of their characters. */
export type CharacterCodes = Pick<CharacterWords, 'codes' | 'steps' | 'width'>;

/**
 * A convolution over the characters of each word and its maximum over all places (Ma and Hovy 2016,
 * section 2.1), [U, F], with the products of characters and kernel looked up: `tables` [A, W · F] hold
 * what each of A characters adds at each of the W places of a window. Characters beyond a word are those
 * of code 0; a word without characters gives zeros. Differentiable once in the tables. Throws
 * `tensor-invalid` for shapes and codes that do not fit.
 */
export function characterMaximum(tables: tf.Tensor2D, { codes, steps, width }: CharacterCodes) {
  const [alphabet, columns] = tables.shape;
  const [lowest, highest] = extremesOf(codes);
  checkShapes(
    'characterMaximum',
    { tables: tables.shape, codes: [codes.length], 'lowest and highest code': [lowest, highest] },
    `tables [A, ${width} F], codes [U * ${steps}] from 0 to A - 1; F > 0`,
    columns > 0 &&
      columns % width === 0 &&
      codes.length % steps === 0 &&
      lowest >= 0 &&
      highest < alphabet,
  );
  checkFloats('characterMaximum', { tables });
  const filters = columns / width;
  // A copy: the backward pass reads the codes again, and the caller may have changed them.
  const words = { codes: codes.slice(), steps, width, filters };
  const places = new Int32Array((codes.length / steps) * filters);
  const op = tf.customGrad((input) => ({
    value: maximum(input as tf.Tensor2D, words, places),
    gradFunc: (dy: tf.Tensor) => gradient(dy as tf.Tensor2D, words, places, tables.shape),
  }));
  return requireFinite('characterMaximum', op(tables) as tf.Tensor2D, { tables });
}

function maximum(tables: tf.Tensor2D, words: CharacterWords, places: Int32Array): tf.Tensor2D {
  if (hasKernel('CharacterMaximum'))
    return runKernel('CharacterMaximum', { tables }, { ...words, places })[0] as tf.Tensor2D;
  const result = new Float32Array(places.length);
  referenceMaximum(tables.dataSync<'float32'>(), words, result, places);
  return tf.tensor2d(result, [places.length / words.filters, words.filters]);
}

function gradient(
  dy: tf.Tensor2D,
  words: CharacterWords,
  places: Int32Array,
  shape: [number, number],
): tf.Tensor {
  if (hasKernel('CharacterMaximumGrad'))
    return runKernel('CharacterMaximumGrad', { dy }, { ...words, places, shape })[0] as tf.Tensor;
  const result = new Float32Array(shape[0] * shape[1]);
  referenceMaximumGradient(dy.dataSync<'float32'>(), words, places, result);
  return tf.tensor2d(result, shape);
}
