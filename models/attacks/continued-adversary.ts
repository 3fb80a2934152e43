import { ADVERSARY_DEFAULTS, Adversary, type AdversaryTask } from '../networks/adversary.js';
import type { NamedArrays } from '../networks/named-arrays.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { adversaryStage, pairBatches } from '../training/adversary-stage.js';
import { BATCH_SENTENCES } from '../training/batch.js';
import { LEARNER_DEFAULTS } from '../training/learner.js';
import { type PairSource, pairSource } from '../training/pairs.js';
import { runStage, type StageContext } from '../training/stage.js';
import { type PairAccuracy, type PairScore, pairAccuracy } from './pair-scores.js';
import type { AuditTarget } from './target.js';

export interface ContinuedAdversaryOptions {
  readonly seed: number;
  readonly task?: AdversaryTask;
  /** LSTM units a direction; must fit `start` where that is given. */
  readonly units?: number;
  /** The adversary at the freeze; without it a fresh one is trained. */
  readonly start?: NamedArrays;
  readonly maxEpochs?: number;
  readonly patience?: number;
}

export interface ContinuedAdversaryReport {
  readonly attack: 'continued-adversary';
  readonly task: AdversaryTask;
  readonly units: number;
  /** Whether the attack went on from the adversary of training or began with fresh weights. */
  readonly fresh: boolean;
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly maxEpochs: number;
  readonly patience: number;
  readonly train: PairAccuracy;
  /** On documents that neither training nor the attack has seen. */
  readonly test: PairAccuracy;
}

/** Friedrich et al. 2019, section 5.3: 50 more epochs, or no better for 10. */
const MAX_EPOCHS = 50;
const PATIENCE = 10;

/**
 * The paper's own test of privacy: with the representation frozen, the adversary of training learns
 * on. A success shows a leak; a failure shows no more than that this adversary found none.
 */
export async function continuedAdversary(
  target: AuditTarget,
  options: ContinuedAdversaryOptions,
  context: StageContext,
): Promise<ContinuedAdversaryReport> {
  const { representation, vocabulary, candidates } = target;
  const { task = 'both', maxEpochs = MAX_EPOCHS, patience = PATIENCE, seed } = options;
  const { embeddingDimension, dimension } = representation.config;
  const config = {
    embeddingDimension,
    dimension,
    units: options.units ?? ADVERSARY_DEFAULTS.units,
  };
  const adversary = options.start
    ? Adversary.fromWeights(config, options.start)
    : Adversary.create(config, context.random.fork('adversary'));
  const pairs = {
    train: pairSource(target.train, candidates),
    validation: pairSource(target.validation, candidates),
  };
  const stage = adversaryStage(adversary, representation, vocabulary, pairs, {
    name: `continued-adversary-${task}`,
    maxEpochs,
    patience,
    startCounts: options.start !== undefined,
    task,
    batchSentences: BATCH_SENTENCES,
    learner: LEARNER_DEFAULTS,
  });
  const { epochs, bestEpoch } = await runStage(stage, context);
  const measure = (source: PairSource, label: string) =>
    pairAccuracy(judge(adversary, target, source, task, context.random.fork(label)), seed);
  const report: ContinuedAdversaryReport = {
    attack: 'continued-adversary',
    task,
    units: config.units,
    fresh: options.start === undefined,
    epochs,
    bestEpoch,
    maxEpochs,
    patience,
    train: measure(pairs.train, 'measure/train'),
    test: measure(pairSource(target.test, candidates), 'measure/test'),
  };
  adversary.dispose();
  return report;
}

/** Each sentence makes one pair, half of them real, every release with fresh noise. */
function judge(
  adversary: Adversary,
  { representation, vocabulary }: AuditTarget,
  source: PairSource,
  task: AdversaryTask,
  random: Random,
): PairScore[] {
  const scores: PairScore[] = [];
  const batches = pairBatches(representation, vocabulary, source, BATCH_SENTENCES, random);
  for (const { examples, draw } of batches) {
    tf.tidy(() => {
      const { pairs, real } = draw();
      const probabilities = adversary.probabilities(pairs, task).dataSync<'float32'>();
      examples.forEach(({ documentIndex }, i) => {
        scores.push({ documentIndex, probability: probabilities[i], real: real[i] === 1 });
      });
    });
  }
  return scores;
}
