import { afterEach, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { crfDecode, crfNegativeLogLikelihood } from '../../../models/tensor/crf.js';
import { sigmoidCrossEntropy, softmaxCrossEntropy } from '../../../models/tensor/cross-entropy.js';
import { dense } from '../../../models/tensor/dense.js';
import { dropout } from '../../../models/tensor/dropout.js';
import { embedding } from '../../../models/tensor/embedding.js';
import { addGaussianNoise } from '../../../models/tensor/gaussian-noise.js';
import { l2Normalise } from '../../../models/tensor/l2-normalise.js';
import { bilstmLastStates } from '../../../models/tensor/last-states.js';
import { bilstm, lstm } from '../../../models/tensor/lstm.js';
import { Adam, Nadam } from '../../../models/tensor/optimiser.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';

/** Tensors of numbers, one NaN among those of the name that is spoilt. */
class Inputs {
  constructor(private readonly spoilt?: string) {}

  of<T extends tf.Tensor>(name: string, ...shape: number[]): T {
    const values = new Float32Array(tf.util.sizeFromShape(shape)).fill(0.5);
    if (name === this.spoilt) values[0] = Number.NaN;
    return tf.tensor(values, shape) as T;
  }

  /** Weights of an LSTM of 3 inputs and 2 units. */
  get weights() {
    return {
      kernel: this.of<tf.Tensor2D>('kernel', 3, 8),
      recurrent: this.of<tf.Tensor2D>('recurrent', 2, 8),
      bias: this.of<tf.Tensor1D>('bias', 8),
    };
  }

  /** Weights of a CRF over 4 labels. */
  get crf() {
    return {
      transitions: this.of<tf.Tensor2D>('transitions', 4, 4),
      start: this.of<tf.Tensor1D>('start', 4),
      end: this.of<tf.Tensor1D>('end', 4),
    };
  }
}

const LENGTHS = Int32Array.of(2, 1);
const SHORT = Int32Array.of(2);
const random = () => new Random(1);

/** Each op with an input of a wrong shape: the op and the shape that its error must name. */
const MISFITS: readonly [string, RegExp, (all: Inputs) => unknown][] = [
  ['lstm', /x \[2, 2, 5\]/, (all) => lstm(all.of('x', 2, 2, 5), all.weights, { lengths: LENGTHS })],
  [
    'bilstm',
    /lengths \[1\]/,
    (all) => bilstm(all.of('x', 2, 2, 3), all.weights, all.weights, { lengths: SHORT }),
  ],
  ['bilstmLastStates', /y \[2, 2, 3\]/, (all) => bilstmLastStates(all.of('y', 2, 2, 3), LENGTHS)],
  [
    'dense',
    /x \[2, 5\], kernel \[3, 4\]/,
    (all) => dense(all.of('x', 2, 5), all.of('kernel', 3, 4), all.of('bias', 4)),
  ],
  ['l2Normalise', /x \[\]/, (all) => l2Normalise(all.of('x'))],
  [
    'embedding',
    /trained \[2, 3\]/,
    (all) => embedding(new Float32Array(7), all.of('trained', 2, 3), SHORT),
  ],
  [
    'addGaussianNoise',
    /x \[2, 3\], stddev \[4\]/,
    (all) => addGaussianNoise(all.of('x', 2, 3), all.of('stddev', 4), random()),
  ],
  [
    'sigmoidCrossEntropy',
    /logits \[2\], targets \[3\]/,
    (all) => sigmoidCrossEntropy(all.of('logits', 2), all.of('targets', 3)),
  ],
  [
    'softmaxCrossEntropy',
    /logits \[3, 2\], labels \[2\]/,
    (all) => softmaxCrossEntropy(all.of('logits', 3, 2), LENGTHS),
  ],
  [
    'crfNegativeLogLikelihood',
    /emissions \[2, 2, 5\].*transitions \[4, 4\]/,
    (all) =>
      crfNegativeLogLikelihood(all.of('emissions', 2, 2, 5), new Int32Array(4), LENGTHS, all.crf),
  ],
  [
    'crfNegativeLogLikelihood',
    /labels \[3\]/,
    (all) =>
      crfNegativeLogLikelihood(all.of('emissions', 2, 2, 4), new Int32Array(3), LENGTHS, all.crf),
  ],
  ['crfDecode', /lengths \[1\]/, (all) => crfDecode(all.of('emissions', 2, 2, 4), SHORT, all.crf)],
  ['optimiser', /gradient \[3\]/, (all) => step(Adam, all.of('gradient', 3))],
  ['optimiser', /gradient \[3\]/, (all) => step(Nadam, all.of('gradient', 3))],
];

/** Each op, and its inputs one of which holds a NaN. */
const SPOILT: readonly [string, readonly string[], (all: Inputs) => unknown][] = [
  [
    'lstm',
    ['x', 'kernel', 'recurrent', 'bias'],
    (all) => lstm(all.of('x', 2, 2, 3), all.weights, { lengths: LENGTHS }),
  ],
  [
    'bilstm',
    ['x', 'kernel', 'recurrent', 'bias'],
    (all) => bilstm(all.of('x', 2, 2, 3), all.weights, all.weights, { lengths: LENGTHS }),
  ],
  ['bilstmLastStates', ['y'], (all) => bilstmLastStates(all.of('y', 2, 1, 4), Int32Array.of(1, 1))],
  [
    'dense',
    ['x', 'kernel', 'bias'],
    (all) => dense(all.of('x', 2, 3), all.of('kernel', 3, 4), all.of('bias', 4)),
  ],
  ['l2Normalise', ['x'], (all) => l2Normalise(all.of('x', 2, 3))],
  [
    'embedding',
    ['trained'],
    (all) => embedding(new Float32Array(6), all.of('trained', 2, 3), Int32Array.of(-2)),
  ],
  [
    'addGaussianNoise',
    ['x', 'stddev'],
    (all) => addGaussianNoise(all.of('x', 2, 3), all.of('stddev', 3), random()),
  ],
  ['dropout', ['x'], (all) => dropout(all.of('x', 40), 0.1, random())],
  [
    'sigmoidCrossEntropy',
    ['logits', 'targets'],
    (all) => sigmoidCrossEntropy(all.of('logits', 2), all.of('targets', 2)),
  ],
  [
    'softmaxCrossEntropy',
    ['logits'],
    (all) => softmaxCrossEntropy(all.of('logits', 1, 2), Int32Array.of(0)),
  ],
  [
    'crfNegativeLogLikelihood',
    ['emissions', 'transitions', 'start', 'end'],
    (all) =>
      crfNegativeLogLikelihood(all.of('emissions', 2, 2, 4), new Int32Array(4), LENGTHS, all.crf),
  ],
  [
    'crfDecode',
    ['emissions', 'transitions', 'start', 'end'],
    (all) => crfDecode(all.of('emissions', 2, 2, 4), LENGTHS, all.crf),
  ],
];

function step(Optimiser: typeof Adam | typeof Nadam, gradient: tf.Tensor): unknown {
  const variable = tf.variable(tf.zeros([2]));
  return new Optimiser([variable], { learningRate: 1 }).apply({ [variable.name]: gradient });
}

afterEach(() => useBackend('cpu'));

describe.each(['cpu', 'native'])('on %s', (backend) => {
  test.each(MISFITS)(
    '%s names itself and the shapes that do not fit (%s)',
    async (op, shapes, run) => {
      await useBackend(backend);
      expect(() => run(new Inputs())).toThrow(
        expect.objectContaining({
          code: 'tensor-invalid',
          message: expect.stringMatching(new RegExp(`^${op}: .*${shapes.source}.*; expected `)),
        }),
      );
    },
  );

  test.each(SPOILT.flatMap(([op, names, run]) => names.map((name) => [op, name, run] as const)))(
    '%s names itself, its shapes and the input %s that holds a NaN',
    async (op, name, run) => {
      await useBackend(backend);
      expect(() => run(new Inputs(name))).toThrow(
        expect.objectContaining({
          code: 'tensor-invalid',
          message: expect.stringMatching(new RegExp(`^${op}.*${name}.*\\[\\d.*\\]`)),
        }),
      );
    },
  );

  test('an optimiser names the variable and the shape whose gradient holds a NaN', async () => {
    await useBackend(backend);
    const gradient = new Inputs('gradient').of('gradient', 2);
    expect(() => step(Nadam, gradient)).toThrow(/first in variable .* \[2\]/);
  });
});
