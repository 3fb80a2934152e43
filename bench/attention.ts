import { createRequire } from 'node:module';
import { deidentifierOnnx } from '../models/bundle/onnx-deidentifier.js';
import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import { Deidentifier } from '../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../models/networks/deidentifier-config.js';
import { useBackend } from '../models/tensor/backend.js';
import { Random } from '../models/tensor/random.js';
import * as tf from '../models/tensor/tf.js';
import type { Batch } from '../models/training/data/batch.js';
import type { TextExample } from '../models/training/data/examples.js';
import { Learner } from '../models/training/run/learner.js';
import { type BenchOptions, type Measurement, measure, type Subject } from './measurement.js';
import { DIMENSION, deidentifier, denseBatch, idsOf, LABELS, sentenceBatches } from './network.js';
import { networkInput } from './peers/network-input.js';
import { type Pytorch, startPytorch } from './peers/pytorch.js';
import { benchSentences } from './sentences.js';
import { threadCounts, withThreads } from './threads.js';

const DOCUMENTS = 60;
const SENTENCE_BATCHES = 16;
/** Greatest difference of an emission from ONNX Runtime's. */
const TOLERANCE = 1e-4;
/** Steps without dropout whose losses must be PyTorch's before anything is timed; relative. */
const COMPARED_STEPS = 3;
const LOSS_TOLERANCE = 1e-3;
const DROPOUT = { inputDropout: 0.1, recurrentDropout: 0.1, outputDropout: 0.1 } as const;

type Examples = Batch<TextExample>;

interface Case {
  readonly name: string;
  readonly batches: readonly Examples[];
}

/** A session of onnxruntime-node, which `deidentifier.onnx` runs in. */
type OnnxRun = (batch: Examples) => Promise<Float32Array>;

/**
 * The sequence-to-sequence de-identifier of `--config sequence-to-sequence`, two layers each of 128 numbers a
 * token: a training step with Adam, clipping and dropout against PyTorch, the forward pass against ONNX
 * Runtime on its own `deidentifier.onnx`, and tagging, from words to labels, beside the BiLSTM-CRF. Both peers start
 * from the vectors.
 */
export async function* attentionBench(options: BenchOptions): AsyncGenerator<Measurement> {
  await useBackend('native');
  const { vocabulary, examples, source } = await benchSentences(options, DOCUMENTS);
  const cases = [
    { name: 'dense', batches: [denseBatch(examples)] },
    { name: `sentences ${source}`, batches: sentenceBatches(examples, SENTENCE_BATCHES) },
  ];
  const network = sequenceToSequence();
  const pytorch = await startPytorch(
    options.python,
    network,
    vocabulary,
    cases.flatMap(({ batches }) => batches),
  );
  try {
    if (pytorch) for (const one of cases) await compareLosses(one, vocabulary, pytorch);
    yield* await measure(
      'attention, training step',
      cases.flatMap((one) => stepSubjects(one, vocabulary, pytorch)),
    );
  } finally {
    pytorch?.stop();
  }
  const forward = await Promise.all(cases.map((one) => forwardSubjects(one, network, vocabulary)));
  yield* await measure('attention, forward', forward.flat());
  yield* await measure(
    'attention, tagging',
    cases.flatMap((one) => taggingSubjects(one, network, vocabulary)),
  );
}

function sequenceToSequence(): Deidentifier {
  const sizes = { network: 'sequence-to-sequence', inputDimension: DIMENSION } as const;
  const config = { ...DEIDENTIFIER_DEFAULTS, ...DROPOUT, ...sizes, labels: LABELS };
  return Deidentifier.create(config, new Random(1));
}

/** One step of a fresh network on a batch; returns the loss before it. */
function stepOf(vocabulary: Vocabulary, dropout?: Random): (batch: Examples) => number {
  const network = sequenceToSequence();
  const options = { optimiser: 'adam', learningRate: 0.001, clipNorm: 1 } as const;
  const learner = new Learner([network.parameters], options);
  return (batch) =>
    learner.step(() => {
      const x = network.embed(vocabulary, idsOf(batch), batch.steps); // [B, T, I]
      const emissions = network.emissions(x, batch.lengths, dropout); // [B, T, L]
      return network.loss(emissions, batch.labels, batch.lengths);
    });
}

function stepSubjects(one: Case, vocabulary: Vocabulary, pytorch: Pytorch | undefined): Subject[] {
  const step = stepOf(vocabulary, new Random(2));
  const peer = (threads: number) => `${one.name}, PyTorch (${pytorch?.blas.name}) with ${threads}`;
  const size = { work: tokensOf(one), unit: 'tokens/s' };
  const own = withThreads({
    ...{ name: one.name, ...size },
    ...(pytorch?.blas.isFast && { against: threadCounts().map(peer) }),
    run: () => {
      for (const batch of one.batches) step(batch);
    },
  });
  if (!pytorch) return own;
  const theirs = threadCounts().map((threads) => ({
    ...{ name: peer(threads), threads, ...size },
    run: () => pytorch.train(one.batches, false, threads),
  }));
  return [...own, ...theirs];
}

async function compareLosses(one: Case, vocabulary: Vocabulary, pytorch: Pytorch): Promise<void> {
  const step = stepOf(vocabulary);
  const expected = await pytorch.losses(one.batches, false, COMPARED_STEPS);
  for (const [i, theirs] of expected.entries()) {
    const ours = step(one.batches[i % one.batches.length] as Examples);
    if (Math.abs(ours - theirs) > LOSS_TOLERANCE * Math.abs(theirs))
      throw new Error(`${one.name}: the loss of step ${i} is ${ours}, PyTorch's is ${theirs}`);
  }
}

async function forwardSubjects(
  one: Case,
  network: Deidentifier,
  vocabulary: Vocabulary,
): Promise<Subject[]> {
  const size = { work: tokensOf(one), unit: 'tokens/s' };
  const peer = (threads: number) => `${one.name}, ONNX Runtime with ${threads}`;
  const own = withThreads({
    ...{ name: one.name, ...size },
    run: () => {
      for (const batch of one.batches) emissionsOf(network, vocabulary, batch);
    },
  });
  const subjects: Subject[] = [];
  for (const [i, each] of own.entries()) {
    const threads = threadCounts()[i] as number;
    const session = await onnxRun(network, vocabulary, threads);
    if (!session) return own;
    for (const batch of one.batches)
      requireClose(emissionsOf(network, vocabulary, batch), await session(batch), batch);
    subjects.push({ ...each, against: [peer(threads)] });
    subjects.push({
      ...{ name: peer(threads), threads, ...size },
      run: async () => {
        const start = performance.now();
        for (const batch of one.batches) await session(batch);
        return performance.now() - start;
      },
    });
  }
  return subjects;
}

function taggingSubjects(one: Case, network: Deidentifier, vocabulary: Vocabulary): Subject[] {
  const subjects = (name: string, tagger: Deidentifier, against: string[] = []) =>
    withThreads({
      ...{ name: `${one.name}, ${name}`, work: tokensOf(one), unit: 'tokens/s' },
      ...(against.length > 0 && { against }),
      run: () => {
        for (const batch of one.batches) labelsOf(tagger, vocabulary, batch);
      },
    });
  const crf = subjects('BiLSTM-CRF', deidentifier());
  const beside = crf.map(({ name }) => name);
  return [...crf, ...subjects('sequence to sequence', network, beside)];
}

function labelsOf(network: Deidentifier, vocabulary: Vocabulary, batch: Examples): Int32Array {
  const { steps, lengths } = batch;
  return tf.tidy(() => {
    const x = network.embed(vocabulary, idsOf(batch), steps);
    return network.decode(network.emissions(x, lengths), lengths);
  });
}

function emissionsOf(network: Deidentifier, vocabulary: Vocabulary, batch: Examples): Float32Array {
  const emissions = tf.tidy(() =>
    network.emissions(network.embed(vocabulary, idsOf(batch), batch.steps), batch.lengths),
  );
  const values = emissions.dataSync<'float32'>();
  emissions.dispose();
  return values;
}

/** `deidentifier.onnx` in ONNX Runtime with so many threads; undefined where that is not installed. */
async function onnxRun(
  network: Deidentifier,
  vocabulary: Vocabulary,
  threads: number,
): Promise<OnnxRun | undefined> {
  let ort: typeof import('onnxruntime-node');
  try {
    ort = createRequire(import.meta.url)('onnxruntime-node') as typeof import('onnxruntime-node');
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    process.stderr.write(`bench: not compared with ONNX Runtime: ${reason}\n`);
    return undefined;
  }
  const graph = deidentifierOnnx(network.parameters.toArrays(), 'embeddings');
  const session = await ort.InferenceSession.create(graph, {
    ...{ intraOpNumThreads: threads, interOpNumThreads: 1, executionMode: 'sequential' },
  });
  const inputs = new Map<Examples, Parameters<typeof session.run>[0]>();
  return async (batch) => {
    let feeds = inputs.get(batch);
    if (!feeds) {
      const { data, shape } = networkInput(network, vocabulary, batch);
      feeds = {
        embeddings: new ort.Tensor('float32', data, [...shape]),
        lengths: new ort.Tensor('int32', batch.lengths, [batch.lengths.length]),
      };
      inputs.set(batch, feeds);
    }
    return (await session.run(feeds)).emissions?.data as Float32Array;
  };
}

function requireClose(
  ours: Float32Array,
  theirs: Float32Array,
  { lengths, steps }: Examples,
): void {
  for (let i = 0; i < ours.length; i++) {
    const [row, t] = [Math.floor(i / LABELS / steps), Math.floor(i / LABELS) % steps];
    if (t >= (lengths[row] as number)) continue;
    const difference = Math.abs((ours[i] as number) - (theirs[i] as number));
    if (!(difference <= TOLERANCE))
      throw new Error(`an emission differs from ONNX Runtime's by ${difference}`);
  }
}

function tokensOf({ batches }: Case): number {
  return batches.reduce((sum, { tokens }) => sum + tokens, 0);
}
