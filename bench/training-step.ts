import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import type { Deidentifier } from '../models/networks/deidentifier.js';
import { useBackend } from '../models/tensor/backend.js';
import { softmaxCrossEntropy } from '../models/tensor/cross-entropy.js';
import { Random } from '../models/tensor/random.js';
import * as tf from '../models/tensor/tf.js';
import type { Batch } from '../models/training/data/batch.js';
import type { TextExample } from '../models/training/data/examples.js';
import { Learner } from '../models/training/run/learner.js';
import { type BenchOptions, type Measurement, measure, type Subject } from './measurement.js';
import { deidentifier, denseBatch, idsOf, LABELS, sentenceBatches } from './network.js';
import type { Blas } from './peers/blas.js';
import { type Pytorch, startPytorch } from './peers/pytorch.js';
import { benchSentences } from './sentences.js';
import { threadCounts, withThreads } from './threads.js';

const DOCUMENTS = 60;
const SENTENCE_BATCHES = 16;
/** Steps without dropout whose losses must agree before anything is timed. */
const COMPARED_STEPS = 5;
/** Relative; later losses are further apart, since PyTorch 1.13's NAdam counts one momentum twice. */
const FIRST_LOSS_TOLERANCE = 1e-5;
const LOSS_TOLERANCE = 1e-2;

interface Case {
  readonly name: string;
  readonly batches: readonly Batch<TextExample>[];
  readonly crf: boolean;
}

/**
 * The whole training step, forward, backward and Nadam with clipping and dropout, of the network of
 * docs/design.md (Speed) from word ids on; PyTorch starts from the vectors. Rates count true tokens.
 */
export async function* trainingStepBench(options: BenchOptions): AsyncGenerator<Measurement> {
  await useBackend('native');
  const { vocabulary, examples, source } = await benchSentences(options, DOCUMENTS);
  const dense = [denseBatch(examples)];
  const sentences = sentenceBatches(examples, SENTENCE_BATCHES);
  const cases = [
    { name: 'dense, CRF', batches: dense, crf: true },
    { name: 'dense, softmax', batches: dense, crf: false },
    { name: `sentences ${source}, CRF`, batches: sentences, crf: true },
  ];
  const pytorch = await startPytorch(options.python, deidentifier(), vocabulary, [
    ...dense,
    ...sentences,
  ]);
  try {
    if (pytorch) for (const one of cases) await compareLosses(one, vocabulary, pytorch);
    const subjects = cases.flatMap((one) => [
      ...ownSubjects(one, vocabulary, pytorch?.blas),
      ...(pytorch ? pytorchSubjects(one, pytorch) : []),
    ]);
    yield* await measure('training step', subjects);
  } finally {
    pytorch?.stop();
  }
}

function ownSubjects(one: Case, vocabulary: Vocabulary, blas: Blas | undefined): Subject[] {
  const random = new Random(2);
  const step = stepOf(one, vocabulary, random);
  const run = () => {
    for (const batch of one.batches) step(batch);
  };
  return withThreads({
    name: one.name,
    work: tokensOf(one),
    unit: 'tokens/s',
    ...(blas?.isFast && {
      against: threadCounts().map((threads) => peerName(one, blas, threads)),
    }),
    run,
  });
}

function pytorchSubjects(one: Case, pytorch: Pytorch): Subject[] {
  return threadCounts().map((threads) => ({
    name: peerName(one, pytorch.blas, threads),
    threads,
    work: tokensOf(one),
    unit: 'tokens/s',
    run: () => pytorch.train(one.batches, one.crf, threads),
  }));
}

function peerName(one: Case, blas: Blas, threads: number): string {
  return `${one.name}, PyTorch (${blas.name}) with ${threads}`;
}

/** One step of a fresh network on a batch; returns the loss before it. */
function stepOf(
  one: Case,
  vocabulary: Vocabulary,
  dropout?: Random,
): (batch: Batch<TextExample>) => number {
  const network = deidentifier();
  const learner = new Learner([network.parameters]);
  return (batch) => learner.step(() => loss(network, vocabulary, batch, one.crf, dropout));
}

function loss(
  network: Deidentifier,
  vocabulary: Vocabulary,
  batch: Batch<TextExample>,
  crf: boolean,
  dropout?: Random,
): tf.Scalar {
  const { labels, lengths, steps } = batch;
  const x = network.embed(vocabulary, idsOf(batch), steps); // [B, T, I]
  const emissions = network.emissions(x, lengths, dropout); // [B, T, L]
  if (crf) return network.loss(emissions, labels, lengths);
  return tf.mean(softmaxCrossEntropy(emissions.reshape([-1, LABELS]), labels));
}

async function compareLosses(one: Case, vocabulary: Vocabulary, pytorch: Pytorch): Promise<void> {
  const step = stepOf(one, vocabulary);
  const expected = await pytorch.losses(one.batches, one.crf, COMPARED_STEPS);
  for (const [i, theirs] of expected.entries()) {
    const ours = step(one.batches[i % one.batches.length] as Batch<TextExample>);
    const tolerance = i === 0 ? FIRST_LOSS_TOLERANCE : LOSS_TOLERANCE;
    if (Math.abs(ours - theirs) <= tolerance * Math.abs(theirs)) continue;
    throw new Error(`${one.name}: the loss of step ${i} is ${ours}, PyTorch's is ${theirs}`);
  }
}

function tokensOf(one: Case): number {
  return one.batches.reduce((sum, { tokens }) => sum + tokens, 0);
}
