import type { Vocabulary } from '../embeddings/vocabulary.js';
import { Deidentifier } from '../networks/deidentifier.js';
import { type DeidentifierConfig, VECTORS_ALONE } from '../networks/deidentifier-config.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import {
  type Batch,
  lengthBuckets,
  paddedIds,
  paddedVectors,
  tokensOf,
  weightedTokens,
} from './data/batch.js';
import type { PartlyReadExample, TextExample, VectorExample } from './data/examples.js';
import { examplesOfEpoch, type Turns } from './data/turns.js';
import { deidentifierLoss } from './deidentifier-loss.js';
import { Learner } from './run/learner.js';
import type { LearnerOptions } from './run/learner-options.js';
import { runStage } from './run/run-stage.js';
import type { StageResult, StreamedStage } from './run/stage.js';
import type { StageContext } from './run/stage-context.js';

/** The sections of a training configuration that a supervised run reads. */
export interface SupervisedConfig {
  readonly deidentifier: Omit<DeidentifierConfig, 'inputDimension' | 'labels'>;
  readonly learner: LearnerOptions;
  readonly batchSentences: number;
  readonly supervised: { readonly maxEpochs: number; readonly patience: number };
}

export interface SupervisedResult {
  /** To be disposed of. */
  readonly deidentifier: Deidentifier;
  readonly stage: StageResult;
}

interface Split<E> {
  readonly train: readonly E[];
  readonly validation: readonly E[];
  /** Which of `train` an epoch has; all where there is none. */
  readonly turns?: Turns<E> | undefined;
  /** What an epoch trains on, drawn afresh for each, where that is not `train` itself. */
  readonly augmented?: {
    readonly tokens: number;
    examples(random: Random, epoch: number): readonly E[];
  };
}

/** What a run trains on, in batches. */
export interface Supply<E extends TextExample | VectorExample> {
  /** Of all batches of an epoch together. */
  readonly tokensPerEpoch: number;
  batches(random: Random, epoch: number): Iterable<Batch<E>> | AsyncIterable<Batch<E>>;
  /** The same after every epoch. */
  validation(): Iterable<Batch<E>>;
}

/** The non-private model (and, on moved ids, the pseudonymised one): a de-identifier on E(x). */
export async function trainOnText(
  split: Split<TextExample>,
  vocabulary: Vocabulary,
  labels: number,
  config: SupervisedConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const { casingInClear, ...deidentifier } = config.deidentifier;
  const seeing = { ...config, deidentifier };
  const supply = inMemory(split, config.batchSentences);
  return train(supply, vocabulary.dimension, labels, seeing, context, (reader, batch) => {
    const ids = paddedIds(
      batch.examples.map((example) => example.ids),
      batch.steps,
    );
    return reader.embed(vocabulary, ids, batch.steps);
  });
}

/** The pooled model: a de-identifier on released vectors of length `dimension` alone. */
export async function trainOnVectors(
  supply: Supply<VectorExample>,
  dimension: number,
  labels: number,
  config: SupervisedConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const { casingInClear, ...deidentifier } = config.deidentifier;
  const seeing = { ...config, deidentifier: { ...deidentifier, ...VECTORS_ALONE } };
  return train(supply, dimension, labels, seeing, context, (_, batch) => {
    const vectors = batch.examples.map((example) => example.vectors);
    const shape: [number, number, number] = [batch.examples.length, batch.steps, dimension];
    return tf.tensor3d(paddedVectors(vectors, batch.steps, dimension), shape);
  });
}

/**
 * A de-identifier on vectors of length `dimension` and, where the words behind them are known, on these beside them: of
 * releases by others and of text of one's own. It has read text in clear, and stays where that is.
 */
export async function trainOnBoth(
  supply: Supply<PartlyReadExample>,
  vocabulary: Vocabulary,
  dimension: number,
  labels: number,
  config: SupervisedConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const { casingInClear, ...deidentifier } = config.deidentifier;
  const wordDimension = vocabulary.dimension;
  const seeing = { ...config, deidentifier: { ...deidentifier, wordDimension } };
  return train(supply, dimension, labels, seeing, context, (reader, { examples, steps }) => {
    const vectors = examples.map((example) => example.vectors);
    const shape: [number, number, number] = [examples.length, steps, dimension];
    const releases = tf.tensor3d(paddedVectors(vectors, steps, dimension), shape);
    const ids = paddedIds(
      examples.map((example) => example.ids ?? new Int32Array(0)),
      steps,
    );
    return reader.beside(releases, vocabulary, ids);
  });
}

/** Batches of `size` sentences of like length, from examples held in memory; cut to batches otherwise by `buckets`. */
export function inMemory<E extends TextExample | VectorExample>(
  split: Split<E>,
  size: number,
  buckets: (
    examples: readonly E[],
    size: number,
    random?: Random,
  ) => Generator<Batch<E>> = lengthBuckets,
): Supply<E> {
  const { validation, augmented } = split;
  return {
    tokensPerEpoch: augmented?.tokens ?? tokensOf(examplesOfEpoch(split, 1)),
    batches: (random, epoch) =>
      buckets(augmented?.examples(random, epoch) ?? examplesOfEpoch(split, epoch), size, random),
    validation: () => buckets(validation, size),
  };
}

/** What a de-identifier reads of a batch, [B, T, I]. */
type Inputs<E extends TextExample | VectorExample> = (
  deidentifier: Deidentifier,
  batch: Batch<E>,
) => tf.Tensor3D;

async function train<E extends TextExample | VectorExample>(
  supply: Supply<E>,
  inputDimension: number,
  labels: number,
  config: SupervisedConfig,
  context: StageContext,
  inputs: Inputs<E>,
): Promise<SupervisedResult> {
  const deidentifier = Deidentifier.create(
    { ...config.deidentifier, inputDimension, labels },
    context.random.fork('initialise'),
  );
  try {
    const stage = supervisedStage(deidentifier, supply, config, inputs);
    return { deidentifier, stage: await runStage(stage, context) };
  } catch (error) {
    deidentifier.dispose();
    throw error;
  }
}

function supervisedStage<E extends TextExample | VectorExample>(
  deidentifier: Deidentifier,
  supply: Supply<E>,
  config: SupervisedConfig,
  inputs: Inputs<E>,
): StreamedStage {
  const learner = new Learner([deidentifier.parameters], config.learner);
  const lossOf = (batch: Batch<E>, dropout?: Random) =>
    deidentifierLoss(deidentifier, inputs(deidentifier, batch), batch, dropout);
  return {
    name: 'supervised',
    guessing: deidentifier.guessing,
    ...config.supervised,
    networks: { deidentifier: deidentifier.parameters },
    optimisers: { deidentifier: learner },
    tokensPerEpoch: supply.tokensPerEpoch,
    async *batches(random, epoch) {
      for await (const batch of supply.batches(random, epoch)) {
        const run = () => ({ l_deid: learner.step(() => lossOf(batch, random)) });
        yield { tokens: batch.tokens, run };
      }
    },
    validate() {
      let sum = 0;
      let tokens = 0;
      for (const batch of supply.validation()) {
        sum += batch.tokens * tf.tidy(() => lossOf(batch).dataSync<'float32'>()[0]);
        tokens += weightedTokens(batch);
      }
      return { l_deid: sum / tokens, monitor: sum / tokens };
    },
  };
}
