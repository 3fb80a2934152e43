import { nativeFunction } from '../models/tensor/addon.js';
import { useBackend } from '../models/tensor/backend.js';
import { type CrfWeights, crfNegativeLogLikelihood } from '../models/tensor/crf.js';
import { softmaxCrossEntropy } from '../models/tensor/cross-entropy.js';
import { dropout } from '../models/tensor/dropout.js';
import { embedding } from '../models/tensor/embedding.js';
import { addGaussianNoise } from '../models/tensor/gaussian-noise.js';
import { l2Normalise } from '../models/tensor/l2-normalise.js';
import { NORMAL_TABLE } from '../models/tensor/normal-table.js';
import { Adam, Nadam } from '../models/tensor/optimiser.js';
import { Random } from '../models/tensor/random.js';
import { secureNormals } from '../models/tensor/secure-normals.js';
import * as tf from '../models/tensor/tf.js';
import { type Measurement, measure, type Subject } from './measurement.js';
import { CLOCK, clockSubject, forThreads, memoryName, memorySubject } from './threads.js';

const BATCH = [32, 40, 256] as const;
const LABELS = 45;
const PARAMETERS = 1_000_000;
const PADDING: [number, number][] = [
  [1, 1],
  [0, 0],
];

/** An op, and the bytes that it must read and write or the items that it makes. */
interface Case {
  readonly name: string;
  readonly work: number;
  readonly unit: string;
  /** Bytes that it must read and write, where they are not the work: against the rate of memory. */
  readonly bytes?: number;
  /** Bytes of its arrays, where some are read or written more than once. */
  readonly held?: number;
  /** Whether arithmetic may be what limits it: then the cycles of a unit are counted too. */
  readonly computes?: boolean;
  readonly run: () => tf.TensorContainer;
}

/**
 * The plain ops that weigh in a training step, on tfjs's CPU backend and on ours, and our fused ops but
 * the LSTM and the products, which have benches of their own.
 */
export async function* opsBench(): AsyncGenerator<Measurement> {
  await useBackend('cpu');
  const stock = subjectsOn('tfjs cpu', cases()).map((one) => ({ ...one, threads: 1 }));
  yield* await measure('ops', stock);
  await useBackend('native');
  yield* forThreads('ops', () => subjectsOn('native', [...cases(), ...nativeCases()]));
}

/** The cases with the peaks that limit them. */
function subjectsOn(backend: string, all: readonly Case[]): Omit<Subject, 'threads'>[] {
  const bytesOf = ({ unit, work, bytes = unit === 'B/s' ? work : undefined }: Case) => bytes;
  const heldBy = (one: Case) => one.held ?? bytesOf(one);
  const sizes = new Set(all.flatMap((one) => heldBy(one) ?? []));
  const ops = all.map((one) => {
    const { name, work, unit, computes, run } = one;
    const [bytes, held] = [bytesOf(one), heldBy(one)];
    const peak = bytes && held && { bytes, peak: { subject: memoryName(held), work: bytes } };
    return {
      ...{ name: `${name}, ${backend}`, work, unit, ...peak, ...(computes && { clock: CLOCK }) },
      run: () => {
        tf.tidy(() => {
          run();
        });
      },
    };
  });
  return [clockSubject(), ...[...sizes].map(memorySubject), ...ops];
}

function cases(): Case[] {
  const x = normals([...BATCH]);
  const y = normals([...BATCH]);
  const bytes = (arrays: number) => ({ work: 4 * x.size * arrays, unit: 'B/s' });
  const { rows, order } = shuffledRows();
  const bias = normals([rows.shape[1]]);
  return [
    { name: 'add', ...bytes(3), run: () => x.add(y) },
    { name: 'multiply by a row', ...bytes(2), run: () => x.mul(bias) },
    { name: 'tanh', ...bytes(2), run: () => x.tanh() },
    { name: 'softplus', ...bytes(2), run: () => x.softplus() },
    { name: 'slice', ...bytes(1), run: () => x.slice([0, 0, 64], [32, 40, 128]) },
    { name: 'concat', ...bytes(4), run: () => tf.concat([x, y], 2) },
    { name: 'pad', ...bytes(2), run: () => tf.pad(rows, PADDING) },
    { name: 'sum', ...bytes(1), run: () => x.sum([0, 1]) },
    { name: 'transpose', ...bytes(2), run: () => x.transpose([1, 0, 2]) },
    { name: 'gather', ...bytes(2), run: () => tf.gather(rows, order) },
  ];
}

/** The words of a batch, and an order to take them in. */
function shuffledRows(): { rows: tf.Tensor2D; order: tf.Tensor1D } {
  const [batch, steps, width] = BATCH;
  const places = Array.from({ length: batch * steps }, (_, place) => place);
  new Random(2).shuffle(places);
  return {
    rows: normals([batch * steps, width]) as tf.Tensor2D,
    order: tf.tensor1d(places, 'int32'),
  };
}

/**
 * Fused ops, whose references are not made for speed, and the sum by segments, for which tfjs goes over
 * all rows once a segment: minutes.
 */
function nativeCases(): Case[] {
  const x = normals([32, 40, 300]) as tf.Tensor3D;
  const words = shuffledRows();
  const stddev = tf.ones([300]) as tf.Tensor1D;
  const random = new Random(1);
  const variable = tf.variable(tf.zeros([PARAMETERS]));
  const gradients = { [variable.name]: normals([PARAMETERS]) };
  const options = { learningRate: 1e-3, clipNorm: 1 };
  const optimisers = { Adam: new Adam([variable], options), Nadam: new Nadam([variable], options) };
  const drawn = { work: x.size, unit: '/s', computes: true };
  const rows = { work: 8 * x.size, unit: 'B/s' };
  return [
    {
      name: 'noise [32, 40, 300]',
      ...drawn,
      bytes: 8 * x.size,
      run: () => addGaussianNoise(x, stddev, random),
    },
    largeNoise(),
    {
      name: 'dropout [32, 40, 300]',
      ...drawn,
      bytes: 8 * x.size,
      run: () => dropout(x, 0.25, random),
    },
    {
      name: 'segment sum',
      ...{ work: 8 * words.rows.size, unit: 'B/s' },
      run: () => tf.unsortedSegmentSum(words.rows, words.order, words.rows.shape[0]),
    },
    { name: 'l2Normalise [32, 40, 300]', ...rows, run: () => l2Normalise(x) },
    { name: 'embedding [1280, 300]', ...rows, run: wordVectors() },
    { name: 'secure normals', ...drawn, run: () => void secureNormals(x.size) },
    ...Object.entries(optimisers).map(([name, optimiser]) => ({
      name: `${name}, a million weights`,
      // The gradient twice, once for its norm; weights and both moments read and written.
      work: 8 * 4 * PARAMETERS,
      held: 4 * 4 * PARAMETERS,
      unit: 'B/s',
      run: () => void optimiser.apply(gradients),
    })),
    { name: 'CRF loss and gradient', work: 32 * 40, unit: ' tokens/s', run: crfStep() },
    {
      name: 'softmax cross-entropy and gradient',
      work: 32 * 40,
      unit: ' tokens/s',
      run: softmaxStep(),
    },
  ];
}

/** Rows of a matrix that no cache holds. */
function wordVectors(): () => tf.Tensor {
  const words = 100_000;
  const fixed = new Float32Array(words * 300).fill(1);
  const trained = tf.zeros([1, 300]) as tf.Tensor2D;
  const random = new Random(3);
  const rows = Int32Array.from({ length: 32 * 40 }, () => random.integer(words));
  return () => embedding(fixed, trained, rows);
}

function softmaxStep(): () => tf.Tensor {
  const logits = normals([32 * 40, LABELS]);
  const labels = new Int32Array(32 * 40);
  const gradient = tf.grad((x: tf.Tensor) => softmaxCrossEntropy(x as tf.Tensor2D, labels).sum());
  return () => gradient(logits);
}

/** The kernel without the check of its result, on arrays that no cache holds. */
function largeNoise(): Case {
  const size = 2048 * 40 * 300;
  const [x, y] = [new Float32Array(size), new Float32Array(size)];
  const stddev = new Float32Array(300).fill(1);
  const kernel = nativeFunction('gaussianNoise');
  const work = { work: size, unit: '/s', computes: true, bytes: 8 * size };
  const position = { key: [20, 26], counter: 0 } as const;
  const run = () => kernel({ x, stddev, result: y, table: NORMAL_TABLE, position });
  return { name: 'noise [2048, 40, 300], kernel alone', ...work, run };
}

function crfStep(): () => tf.Tensor {
  const emissions = normals([32, 40, LABELS]);
  const crf = {
    transitions: normals([LABELS, LABELS]),
    start: normals([LABELS]),
    end: normals([LABELS]),
  } as CrfWeights;
  const labels = new Int32Array(32 * 40);
  const lengths = new Int32Array(32).fill(40);
  const gradient = tf.grad((e: tf.Tensor) =>
    crfNegativeLogLikelihood(e as tf.Tensor3D, labels, lengths, crf).sum(),
  );
  return () => gradient(emissions);
}

function normals(shape: number[]): tf.Tensor {
  return tf.tensor(new Random(1).normals(tf.util.sizeFromShape(shape)), shape);
}
