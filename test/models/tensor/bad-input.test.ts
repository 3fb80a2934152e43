import { afterEach, describe, expect, test } from '@jest/globals';
import { attention } from '../../../models/tensor/attention.js';
import { useBackend } from '../../../models/tensor/backend.js';
import {
  type CrfWeights,
  crfDecode,
  crfNegativeLogLikelihood,
} from '../../../models/tensor/crf.js';
import { sigmoidCrossEntropy, softmaxCrossEntropy } from '../../../models/tensor/cross-entropy.js';
import { dense } from '../../../models/tensor/dense.js';
import { dropout } from '../../../models/tensor/dropout.js';
import { embedding } from '../../../models/tensor/embedding.js';
import { addGaussianNoise } from '../../../models/tensor/gaussian-noise.js';
import { l2Normalise } from '../../../models/tensor/l2-normalise.js';
import { bilstmLastStates } from '../../../models/tensor/last-states.js';
import { layerNorm } from '../../../models/tensor/layer-norm.js';
import { type BilstmOptions, bilstm, lstm } from '../../../models/tensor/lstm.js';
import { Adam, Nadam } from '../../../models/tensor/optimiser.js';
import { Random } from '../../../models/tensor/random.js';
import type { AttentionInputs } from '../../../models/tensor/reference/attention.js';
import { addSecureNoise } from '../../../models/tensor/secure-noise.js';
import * as tf from '../../../models/tensor/tf.js';

/** Tensors of numbers, one NaN among those of the name that is spoilt, whole ones where `whole` is. */
class Inputs {
  constructor(
    private readonly spoilt?: string,
    private readonly whole?: string,
  ) {}

  of<T extends tf.Tensor>(name: string, ...shape: number[]): T {
    return tf.tensor(
      this.values(name, tf.util.sizeFromShape(shape)),
      shape,
      name === this.whole ? 'int32' : 'float32',
    ) as T;
  }

  values(name: string, size: number): Float32Array {
    const values = new Float32Array(size).fill(0.5);
    if (name === this.spoilt) values[0] = Number.NaN;
    return values;
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
  [
    'layerNorm',
    /x \[2, 3\], gain \[4\]/,
    (all) => layerNorm(all.of('x', 2, 3), all.of('gain', 4), all.of('bias', 3)),
  ],
  ['attention', /keys \[2, 2, 6\]/, (all) => attention(heads(all, 6), LENGTHS)],
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
  [
    'crfNegativeLogLikelihood',
    /emissions \[1, 2, 0\]/,
    () => crfNegativeLogLikelihood(tf.zeros([1, 2, 0]), new Int32Array(2), SHORT, noLabels()),
  ],
  [
    'crfDecode',
    /emissions \[1, 2, 0\]/,
    () => crfDecode(tf.zeros([1, 2, 0]), Int32Array.of(2), noLabels()),
  ],
  [
    'bilstm',
    /x \[2, 2, 3\], backward kernel \[3, 12\]/,
    (all) => {
      const wide = { ...all.weights, kernel: all.of<tf.Tensor2D>('kernel', 3, 12) };
      return bilstm(all.of('x', 2, 2, 3), all.weights, wide, { lengths: LENGTHS });
    },
  ],
  [
    'addSecureNoise',
    /x \[2, 3\], stddev \[4\]/,
    (all) => addSecureNoise(all.of('x', 2, 3), all.of('stddev', 4)),
  ],
  ['crfDecode', /lengths \[1\]/, (all) => crfDecode(all.of('emissions', 2, 2, 4), SHORT, all.crf)],
  ['optimiser', /gradient \[3\]/, (all) => step(Adam, all.of('gradient', 3))],
  ['optimiser', /gradient \[3\]/, (all) => step(Nadam, all.of('gradient', 3))],
];

/** Each op, and its inputs one of which is not as it must be. */
const OPS: readonly [string, readonly string[], (all: Inputs) => unknown][] = [
  [
    'lstm',
    ['x', 'kernel', 'recurrent', 'bias', 'mask'],
    (all) =>
      lstm(all.of('x', 2, 2, 3), all.weights, {
        lengths: LENGTHS,
        recurrentMask: all.of('mask', 2, 2),
      }),
  ],
  [
    'bilstm',
    ['x', 'kernel', 'recurrent', 'bias', 'mask'],
    (all) => {
      const recurrentMasks = { forward: all.of('mask', 2, 2), backward: all.of('mask', 2, 2) };
      const options = { lengths: LENGTHS, recurrentMasks } as BilstmOptions;
      return bilstm(all.of('x', 2, 2, 3), all.weights, all.weights, options);
    },
  ],
  ['bilstmLastStates', ['y'], (all) => bilstmLastStates(all.of('y', 2, 1, 4), Int32Array.of(1, 1))],
  [
    'dense',
    ['x', 'kernel', 'bias'],
    (all) => dense(all.of('x', 2, 3), all.of('kernel', 3, 4), all.of('bias', 4)),
  ],
  [
    'layerNorm',
    ['x', 'gain', 'bias'],
    (all) => layerNorm(all.of('x', 2, 3), all.of('gain', 3), all.of('bias', 3)),
  ],
  [
    'attention',
    ['queries', 'keys', 'values', 'distances'],
    (all) => attention(heads(all, 4), LENGTHS),
  ],
  ['l2Normalise', ['x'], (all) => l2Normalise(all.of('x', 2, 3))],
  [
    'embedding',
    ['trained'],
    (all) => embedding(new Float32Array(6), all.of('trained', 2, 3), Int32Array.of(-2)),
  ],
  [
    'addSecureNoise',
    ['x', 'stddev'],
    (all) => addSecureNoise(all.of('x', 2, 3), all.of('stddev', 3)),
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

/** Of attention, with keys of another width. */
function heads(all: Inputs, width: number): AttentionInputs {
  return {
    queries: all.of('queries', 2, 2, 4),
    keys: all.of('keys', 2, 2, width),
    values: all.of('values', 2, 2, 4),
    distances: all.of('distances', 2, 3),
  };
}

function noLabels(): CrfWeights {
  return { transitions: tf.zeros([0, 0]), start: tf.tensor1d([]), end: tf.tensor1d([]) };
}

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

  const each = OPS.flatMap(([op, names, run]) => names.map((name) => [op, name, run] as const));

  test.each(each)(
    '%s names itself, its shapes and the input %s that holds a NaN',
    async (op, name, run) => {
      await useBackend(backend);
      const named = `as [^;]*${name}[^;]* does|${name} \\[\\d.*\\] holds NaN`;
      expect(() => run(new Inputs(name))).toThrow(
        expect.objectContaining({
          code: 'tensor-invalid',
          message: expect.stringMatching(new RegExp(`^${op}: (.* )?(${named})`)),
        }),
      );
    },
  );

  test.each(each)(
    '%s names itself, its shapes and the input %s that is of whole numbers',
    async (op, name, run) => {
      await useBackend(backend);
      const named = `${name} \\[\\d.*\\] of int32`;
      expect(() => run(new Inputs(undefined, name))).toThrow(
        expect.objectContaining({
          code: 'tensor-invalid',
          message: expect.stringMatching(new RegExp(`^${op}: got .*${named}.*; expected float32`)),
        }),
      );
    },
  );

  test('embedding names the row of the fixed table that holds a NaN', async () => {
    await useBackend(backend);
    const all = new Inputs('fixed');
    const trained = all.of<tf.Tensor2D>('trained', 2, 3);
    for (const rows of [
      [1, 0],
      [-2, 0],
    ]) {
      expect(() => embedding(all.values('fixed', 6), trained, Int32Array.from(rows))).toThrow(
        /^embedding: the result \[2, 3\] .*, as fixed \[2, 3\] does in row 0; got trained \[2, 3\]/,
      );
    }
  });

  test('an optimiser names the variable whose gradient is of whole numbers', async () => {
    await useBackend(backend);
    const gradient = new Inputs(undefined, 'gradient').of('gradient', 2);
    expect(() => step(Adam, gradient)).toThrow(
      /^optimiser: got .* \[2\] of float32, gradient \[2\] of int32; expected float32/,
    );
  });

  test('an optimiser names the variable and the shape whose gradient holds a NaN', async () => {
    await useBackend(backend);
    const gradient = new Inputs('gradient').of('gradient', 2);
    expect(() => step(Nadam, gradient)).toThrow(/first in variable .* \[2\]/);
  });
});
