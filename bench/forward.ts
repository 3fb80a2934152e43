import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import type { Deidentifier } from '../models/networks/deidentifier.js';
import { release } from '../models/networks/release.js';
import { Representation } from '../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../models/networks/representation-config.js';
import { nativeFunction } from '../models/tensor/addon.js';
import { useBackend } from '../models/tensor/backend.js';
import { type NativeBackend, PRECISIONS, type Precision } from '../models/tensor/native-backend.js';
import { Random } from '../models/tensor/random.js';
import * as tf from '../models/tensor/tf.js';
import type { Batch } from '../models/training/data/batch.js';
import type { TextExample } from '../models/training/data/examples.js';
import { type BenchOptions, type Measurement, measure, type Subject } from './measurement.js';
import {
  DIMENSION,
  deidentifier,
  denseBatch,
  idsOf,
  operationsOf,
  sentenceBatches,
} from './network.js';
import { networkInput } from './peers/network-input.js';
import { type OnnxSession, onnxSession } from './peers/onnx-runtime.js';
import { onnxTagger } from './peers/onnx-tagger.js';
import { benchSentences } from './sentences.js';
import { peakName, peakSubjects, threadCounts, withThreads } from './threads.js';

const DOCUMENTS = 60;
const SENTENCE_BATCHES = 16;
/** Greatest difference of an emission. */
const TOLERANCE = 1e-4;

interface Case {
  readonly name: string;
  readonly batches: readonly Batch<TextExample>[];
}

/**
 * The forward pass of the network of docs/design.md (Speed), from word ids to emissions, against ONNX
 * Runtime, which starts from the vectors, and both against the machine's multiply-adds; releases of
 * the representation with both its noises; and the representation in bfloat16 against itself in
 * float32.
 */
export async function* forwardBench(options: BenchOptions): AsyncGenerator<Measurement> {
  await useBackend('native');
  const { vocabulary, examples, source } = await benchSentences(options, DOCUMENTS);
  const network = deidentifier();
  const cases = [
    { name: 'dense', batches: [denseBatch(examples)] },
    { name: `sentences ${source}`, batches: sentenceBatches(examples, SENTENCE_BATCHES) },
  ];
  const peers = await onnxPeers(network);
  for (const one of cases) await compareOutputs(one, network, vocabulary, peers);
  const operations = operationsOf(network.config);
  const subjects = cases
    .flatMap((one) => [
      ...ownSubjects(one, network, vocabulary, peers),
      ...peerSubjects(one, network, vocabulary, peers),
    ])
    .map((subject) => ({
      ...subject,
      peak: { subject: peakName(subject.threads), work: operations * subject.work },
    }));
  const releases = releaseSubjects(
    vocabulary,
    examples.map(({ ids }) => ids),
  );
  yield* await measure('forward', [...peakSubjects(), ...subjects]);
  yield* await measure('forward', releases);
  yield* bfloat16Rows(vocabulary, denseBatch(examples));
}

/** f of a batch in each precision, and the greatest difference of a number of its unit vectors. */
async function* bfloat16Rows(
  vocabulary: Vocabulary,
  batch: Batch<TextExample>,
): AsyncGenerator<Measurement> {
  if (!nativeFunction('hasBfloat16')()) {
    process.stderr.write('bench: this processor does not multiply bfloat16\n');
    return;
  }
  const representation = representationOf();
  const x = representation.embed(vocabulary, idsOf(batch), batch.steps);
  const mean = (precision: Precision): Float32Array => {
    // As useBackend sets it, which would be awaited within what is timed.
    (tf.backend() as NativeBackend).precision = precision;
    const f = tf.tidy(() => representation.mean(x, batch.lengths));
    const values = f.dataSync<'float32'>();
    f.dispose();
    (tf.backend() as NativeBackend).precision = 'float32';
    return values;
  };
  const exact = mean('float32');
  const greatest = mean('bfloat16').reduce(
    (most, value, i) => Math.max(most, Math.abs(value - (exact[i] as number))),
    0,
  );
  const subjects = PRECISIONS.flatMap((precision) =>
    withThreads({
      name: `f, ${precision}`,
      work: batch.tokens,
      unit: 'tokens/s',
      run: () => mean(precision),
    }),
  ).map((subject) => ({ ...subject, name: `${subject.name}, ${subject.threads}` }));
  const compared = subjects.map((subject) => ({
    ...subject,
    ...(subject.name.startsWith('f, bfloat16') && { against: [`f, float32, ${subject.threads}`] }),
  }));
  const difference = { milliseconds: 0, spread: 0, rate: 1e6 * greatest, unit: 'millionths' };
  yield* await measure('forward', compared);
  yield { bench: 'forward', name: 'f, bfloat16, greatest difference', threads: 0, ...difference };
}

/** The session of each number of threads. */
type Peers = ReadonlyMap<number, OnnxSession>;

async function onnxPeers(network: Deidentifier): Promise<Peers> {
  const model = onnxTagger(network.parameters.toArrays(), network.config.layers);
  const peers = new Map<number, OnnxSession>();
  for (const threads of threadCounts()) {
    const session = await onnxSession(model, threads);
    if (!session) break;
    peers.set(threads, session);
  }
  return peers;
}

function emissionsOf(
  network: Deidentifier,
  vocabulary: Vocabulary,
  batch: Batch<TextExample>,
): Float32Array {
  const { lengths, steps } = batch;
  const emissions = tf.tidy(() => {
    const x = network.embed(vocabulary, idsOf(batch), steps); // [B, T, I]
    return network.emissions(x, lengths); // [B, T, L]
  });
  const values = emissions.dataSync<'float32'>();
  emissions.dispose();
  return values;
}

function ownSubjects(
  one: Case,
  network: Deidentifier,
  vocabulary: Vocabulary,
  peers: Peers,
): Subject[] {
  const subjects = withThreads({
    name: one.name,
    work: tokensOf(one.batches),
    unit: 'tokens/s',
    run: () => {
      for (const batch of one.batches) emissionsOf(network, vocabulary, batch);
    },
  });
  if (peers.size === 0) return subjects;
  return subjects.map((each) => ({ ...each, against: [peerName(one, each.threads)] }));
}

function peerSubjects(
  one: Case,
  network: Deidentifier,
  vocabulary: Vocabulary,
  peers: Peers,
): Subject[] {
  const inputs = one.batches.map((batch) => timeFirst(network, vocabulary, batch));
  return [...peers].map(([threads, session]) => ({
    name: peerName(one, threads),
    threads,
    work: tokensOf(one.batches),
    unit: 'tokens/s',
    run: async () => {
      const start = performance.now();
      for (const { x, shape, lengths } of inputs) await session.run(x, shape, lengths);
      return performance.now() - start;
    },
  }));
}

function peerName(one: Case, threads: number): string {
  return `${one.name}, ONNX Runtime with ${threads}`;
}

function releaseSubjects(vocabulary: Vocabulary, sentences: readonly Int32Array[]): Subject[] {
  const representation = representationOf();
  return withThreads({
    name: 'release, sentences',
    work: sentences.reduce((sum, { length }) => sum + length, 0),
    unit: 'tokens/s',
    run: () => release(representation, vocabulary, sentences),
  });
}

function representationOf(): Representation {
  const config = { ...REPRESENTATION_DEFAULTS, embeddingDimension: DIMENSION };
  return Representation.create(config, new Random(1));
}

/** What the network sees of a batch with time first, [T, B, I]. */
function timeFirst(network: Deidentifier, vocabulary: Vocabulary, batch: Batch<TextExample>) {
  const { data, shape } = networkInput(network, vocabulary, batch);
  const transposed = tf.tidy(() => {
    const x = tf.tensor(data, [...shape]).transpose([1, 0, 2]);
    return { x: Float32Array.from(x.dataSync<'float32'>()), shape: x.shape };
  });
  return { ...transposed, lengths: batch.lengths };
}

async function compareOutputs(
  { name, batches }: Case,
  network: Deidentifier,
  vocabulary: Vocabulary,
  peers: Peers,
): Promise<void> {
  for (const session of peers.values()) {
    for (const batch of batches) {
      const { x, shape, lengths } = timeFirst(network, vocabulary, batch);
      const [T, B] = shape as [number, number];
      const ours = emissionsOf(network, vocabulary, batch);
      const theirs = await session.run(x, shape, lengths);
      const L = ours.length / (T * B);
      for (let i = 0; i < ours.length; i++) {
        const [b, t, label] = [Math.floor(i / (T * L)), Math.floor(i / L) % T, i % L];
        const difference = Math.abs(
          (ours[i] as number) - (theirs[(t * B + b) * L + label] as number),
        );
        if (t < (lengths[b] as number) && !(difference <= TOLERANCE)) {
          throw new Error(`${name}: an emission differs from ONNX Runtime's by ${difference}`);
        }
      }
    }
  }
}

function tokensOf(batches: readonly Batch<TextExample>[]): number {
  return batches.reduce((sum, { tokens }) => sum + tokens, 0);
}
