/**
 * Adversarial training of the representation in three phases (Feutry et al. 2018, as used by
 * Friedrich et al. 2019, section 4.3):
 *
 *   P1  representation and de-identifier together, on l_deid
 *   P2  adversary alone, on l_adv, the representation frozen
 *   P3  in turn, one epoch each:
 *       (a) representation frozen: the de-identifier on l_deid, the adversary on l_adv
 *       (b) both frozen: the representation on l_deid + λ |l_adv − log 2|
 *
 * P1 and P2 stop early on their validation loss, P3 on the validation loss of (b). At the end of a
 * phase the weights of its best epoch are restored.
 */
import type { Candidates } from '../embeddings/candidates.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { ADVERSARY_DEFAULTS, Adversary } from '../networks/adversary.js';
import { DEIDENTIFIER_DEFAULTS, Deidentifier } from '../networks/deidentifier.js';
import { type Noise, REPRESENTATION_DEFAULTS, Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { adversaryStage } from './adversary-stage.js';
import { BATCH_SENTENCES, type Batch, lengthBuckets, paddedIds, tokensOf } from './batch.js';
import { deidentifierLoss } from './deidentifier-loss.js';
import type { TextExample } from './examples.js';
import { LEARNER_DEFAULTS, Learner, type LearnerOptions } from './learner.js';
import { Opponent } from './opponent.js';
import { pairSource } from './pairs.js';
import { PHASE3_DEFAULTS, type Phase3Config, phase3 } from './phase3.js';
import { runStage, type Stage, type StageContext, type StageResult } from './stage.js';

/** A phase's longest run, and how many epochs it goes on without a better validation loss. */
export interface PhaseLimits {
  readonly maxEpochs: number;
  readonly patience: number;
}

export interface ThreePhaseConfig {
  readonly representation: {
    readonly units: number;
    readonly dimension: number;
    readonly initialInputStddev: number;
    readonly initialOutputStddev: number;
    readonly noise?: Noise;
  };
  readonly deidentifier: {
    readonly units: number;
    readonly layers: number;
    readonly inputDropout: number;
    readonly recurrentDropout: number;
    readonly outputDropout: number;
    readonly casing?: boolean;
  };
  readonly adversary: { readonly units: number };
  readonly learner: LearnerOptions;
  readonly batchSentences: number;
  /** λ, the weight of the adversary's term in P3(b). */
  readonly lambda: number;
  readonly P1: PhaseLimits;
  readonly P2: PhaseLimits;
  readonly P3: Phase3Config;
  /**
   * An adversary whose outputs on held-out pairs have a smaller standard deviation has collapsed: it
   * says the same of every pair. It starts again from fresh weights, and the epoch cannot be the best.
   */
  readonly collapsedStddev: number;
}

export const THREE_PHASE_DEFAULTS: ThreePhaseConfig = {
  representation: REPRESENTATION_DEFAULTS,
  deidentifier: DEIDENTIFIER_DEFAULTS,
  adversary: ADVERSARY_DEFAULTS,
  learner: LEARNER_DEFAULTS,
  batchSentences: BATCH_SENTENCES,
  lambda: 1,
  P1: { maxEpochs: 40, patience: 5 },
  P2: { maxEpochs: 20, patience: 3 },
  P3: PHASE3_DEFAULTS,
  collapsedStddev: 1e-3,
};

export interface ThreePhaseData {
  readonly train: readonly TextExample[];
  readonly validation: readonly TextExample[];
  readonly vocabulary: Vocabulary;
  readonly candidates: Candidates;
  /** L, the number of IOB2 labels. */
  readonly labels: number;
}

export interface ThreePhaseNetworks {
  readonly representation: Representation;
  readonly deidentifier: Deidentifier;
  readonly adversary: Adversary;
}

export interface ThreePhaseResult extends ThreePhaseNetworks {
  readonly stages: Readonly<Record<string, StageResult>>;
}

export async function trainThreePhase(
  data: ThreePhaseData,
  config: ThreePhaseConfig,
  context: StageContext,
): Promise<ThreePhaseResult> {
  const { stages: first, ...networks } = await trainPhase1(data, config, context);
  const pairs = {
    train: pairSource(data.train, data.candidates),
    validation: pairSource(data.validation, data.candidates),
  };
  const stages: Record<string, StageResult> = { ...first };
  stages.P2 = await trainAdversary('P2', networks, data, config, context);
  const others = otherAdversaries(networks.adversary, config, context.random);
  for (const [i, adversary] of others.entries()) {
    const name = `P2-${i + 2}`;
    stages[name] = await trainAdversary(name, { ...networks, adversary }, data, config, context);
  }
  stages.P3 = await runStage(phase3({ ...networks, others }, data, pairs, config), context);
  for (const other of others) other.dispose();
  return { ...networks, stages };
}

/** Fresh networks after P1: the adversary has not learnt yet. */
export async function trainPhase1(
  data: ThreePhaseData,
  config: ThreePhaseConfig,
  context: StageContext,
): Promise<ThreePhaseResult> {
  const networks = createNetworks(data, config, context.random.fork('initialise'));
  const P1 = await runStage(phase1(networks, data, config), context);
  return { ...networks, stages: { P1 } };
}

/** The adversary alone, with the limits of P2: in P2, or once more where the representation changed. */
export async function trainAdversary(
  name: string,
  { adversary, representation }: ThreePhaseNetworks,
  { train, validation, candidates, vocabulary }: ThreePhaseData,
  { P2, batchSentences, collapsedStddev, learner }: ThreePhaseConfig,
  context: StageContext,
): Promise<StageResult> {
  const pairs = {
    train: pairSource(train, candidates),
    validation: pairSource(validation, candidates),
  };
  const opponent = new Opponent('adversary', adversary, learner);
  const options = { name, ...P2, batchSentences, collapsedStddev };
  return runStage(adversaryStage(opponent, representation, vocabulary, pairs, options), context);
}

export function createNetworks(
  { vocabulary, labels }: ThreePhaseData,
  config: Pick<ThreePhaseConfig, 'representation' | 'deidentifier' | 'adversary'>,
  random: Random,
): ThreePhaseNetworks {
  const embeddingDimension = vocabulary.dimension;
  const { dimension } = config.representation;
  return {
    representation: Representation.create({ ...config.representation, embeddingDimension }, random),
    deidentifier: Deidentifier.create(
      { ...config.deidentifier, inputDimension: dimension, labels },
      random,
    ),
    adversary: Adversary.create({ ...config.adversary, embeddingDimension, dimension }, random),
  };
}

/** Those that play in P3 beside the one that is kept. */
function otherAdversaries(
  { config }: Adversary,
  { P3: { adversaries } }: ThreePhaseConfig,
  random: Random,
): Adversary[] {
  return Array.from({ length: adversaries - 1 }, (_, i) =>
    Adversary.create(config, random.fork(`adversary-${i + 2}`)),
  );
}

function phase1(
  { representation, deidentifier }: ThreePhaseNetworks,
  { train, validation, vocabulary, labels }: ThreePhaseData,
  { batchSentences, learner: learnerOptions, P1 }: ThreePhaseConfig,
): Stage {
  const networks = {
    representation: representation.parameters,
    deidentifier: deidentifier.parameters,
  };
  const learner = new Learner(Object.values(networks), learnerOptions);
  const loss = (batch: Batch<TextExample>, noise: Random, dropout?: Random) => {
    const ids = paddedIds(
      batch.examples.map((example) => example.ids),
      batch.steps,
    );
    const x = representation.embed(vocabulary, ids, batch.steps); // [B, T, E]
    const r = representation.forward(x, batch.lengths, noise); // [B, T, d]
    return deidentifierLoss(deidentifier, r, batch, dropout);
  };
  return {
    name: 'P1',
    guessing: Math.log(labels),
    ...P1,
    networks,
    optimisers: { learner },
    tokensPerEpoch: tokensOf(train),
    *batches(random) {
      for (const batch of lengthBuckets(train, batchSentences, random)) {
        const run = () => ({ l_deid: learner.step(() => loss(batch, random, random)) });
        yield { tokens: batch.tokens, run };
      }
    },
    validate(random) {
      let sum = 0;
      let tokens = 0;
      for (const batch of lengthBuckets(validation, batchSentences)) {
        sum += batch.tokens * tf.tidy(() => valueOfScalar(loss(batch, random)));
        tokens += batch.tokens;
      }
      return { l_deid: sum / tokens, monitor: sum / tokens };
    },
  };
}

function valueOfScalar(scalar: tf.Scalar): number {
  return scalar.dataSync<'float32'>()[0];
}
