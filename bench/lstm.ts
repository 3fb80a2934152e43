import { useBackend } from '../models/tensor/backend.js';
import { bilstm, type LstmWeights } from '../models/tensor/lstm.js';
import * as tf from '../models/tensor/tf.js';
import type { Measurement, Subject } from './measurement.js';
import { forThreads, PEAK, peakSubject } from './threads.js';

const BATCH = 32;
const STEPS = 40;
const INPUTS = 300;
const UNITS = 128;
const LAYERS = 2;

/**
 * The recurrent part of the de-identifier (paper, Table 1): two bidirectional layers of 128 units a
 * direction over batches of 32 x 40 tokens of 300 numbers, forward alone and with all weight
 * gradients; then a batch of uneven lengths, counted by its true tokens.
 */
export async function* lstmBench(): AsyncGenerator<Measurement> {
  await useBackend('native');
  const layers = Array.from({ length: LAYERS }, (_, layer) =>
    [0, 1].map(() => weights(layer === 0 ? INPUTS : 2 * UNITS)),
  ) as [LstmWeights, LstmWeights][];
  const x = tf.randomNormal([BATCH, STEPS, INPUTS], 0, 1, 'float32', 1) as tf.Tensor3D;
  const full = new Int32Array(BATCH).fill(STEPS);
  const uneven = Int32Array.from({ length: BATCH }, (_, b) => 1 + Math.floor((b * STEPS) / BATCH));
  yield* forThreads('lstm', () => [
    peakSubject(),
    forwardSubject('forward, dense', x, layers, full),
    trainingSubject('training step, dense', x, layers, full),
    forwardSubject('forward, uneven', x, layers, uneven),
    trainingSubject('training step, uneven', x, layers, uneven),
  ]);
}

type Layers = readonly (readonly [LstmWeights, LstmWeights])[];

function forwardSubject(
  name: string,
  x: tf.Tensor3D,
  layers: Layers,
  lengths: Int32Array,
): Omit<Subject, 'threads'> {
  const run = () => tf.tidy(() => void outputs(x, layers, lengths));
  const work = tokens(lengths);
  const peak = { subject: PEAK, work: work * FORWARD_OPERATIONS };
  return { name, work, unit: 'tokens/s', peak, run };
}

function trainingSubject(
  name: string,
  x: tf.Tensor3D,
  layers: Layers,
  lengths: Int32Array,
): Omit<Subject, 'threads'> {
  const dy = tf.randomNormal([BATCH, STEPS, 2 * UNITS], 0, 1, 'float32', 2);
  // A loss that costs nothing, so that the recurrent layers alone are measured.
  const loss = tf.customGrad(() => ({ value: tf.scalar(0), gradFunc: () => [dy.clone()] }));
  const run = () =>
    tf.tidy(() => void tf.variableGrads(() => loss(outputs(x, layers, lengths)) as tf.Scalar));
  const work = tokens(lengths);
  const peak = { subject: PEAK, work: work * TRAINING_OPERATIONS };
  return { name, work, unit: 'tokens/s', peak, run };
}

/** Of the products of both directions for a token. */
const operationsOf = (inputs: number) => 2 * 2 * inputs * 4 * UNITS;
const FORWARD_OPERATIONS = operationsOf(INPUTS + UNITS) + (LAYERS - 1) * operationsOf(3 * UNITS);
/** Forward, and backward twice the forward, less the gradient of x that nobody asks for. */
const TRAINING_OPERATIONS = 3 * FORWARD_OPERATIONS - operationsOf(INPUTS);

function outputs(x: tf.Tensor3D, layers: Layers, lengths: Int32Array): tf.Tensor3D {
  return layers.reduce((h, [forward, backward]) => bilstm(h, forward, backward, { lengths }), x);
}

function weights(inputs: number): LstmWeights {
  const variable = (shape: number[], seed: number) =>
    tf.variable(tf.randomNormal(shape, 0, 0.1, 'float32', seed));
  return {
    kernel: variable([inputs, 4 * UNITS], 3) as tf.Tensor2D,
    recurrent: variable([UNITS, 4 * UNITS], 4) as tf.Tensor2D,
    bias: variable([4 * UNITS], 5) as tf.Tensor1D,
  };
}

function tokens(lengths: Int32Array): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
