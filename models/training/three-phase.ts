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
import { REPRESENTATION_DEFAULTS, Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { pairLoss, releaseWithPairs } from './adversarial-batch.js';
import { adversaryStage } from './adversary-stage.js';
import {
  BATCH_SENTENCES,
  type Batch,
  lengthBuckets,
  paddedIds,
  type StratifiedBatch,
  tokensOf,
} from './batch.js';
import { deidentifierLoss } from './deidentifier-loss.js';
import type { TextExample } from './examples.js';
import { heldOut } from './held-out.js';
import { LEARNER_DEFAULTS, Learner, type LearnerOptions } from './learner.js';
import { type PairSource, pairedBatches, pairSource } from './pairs.js';
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
  };
  readonly deidentifier: {
    readonly units: number;
    readonly layers: number;
    readonly inputDropout: number;
    readonly recurrentDropout: number;
    readonly outputDropout: number;
  };
  readonly adversary: { readonly units: number };
  readonly learner: LearnerOptions;
  readonly batchSentences: number;
  /** λ, the weight of the adversary's term in P3(b). */
  readonly lambda: number;
  readonly P1: PhaseLimits;
  readonly P2: PhaseLimits;
  readonly P3: PhaseLimits;
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
  P3: { maxEpochs: 40, patience: 8 },
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
  readonly stages: Readonly<Record<'P1' | 'P2' | 'P3', StageResult>>;
}

export async function trainThreePhase(
  data: ThreePhaseData,
  config: ThreePhaseConfig,
  context: StageContext,
): Promise<ThreePhaseResult> {
  const networks = createNetworks(data, config, context.random.fork('initialise'));
  const pairs = {
    train: pairSource(data.train, data.candidates),
    validation: pairSource(data.validation, data.candidates),
  };
  const P1 = await runStage(phase1(networks, data, config), context);
  const P2 = await trainAdversary('P2', networks, data, config, context);
  const P3 = await runStage(phase3(networks, data, pairs, config), context);
  return { ...networks, stages: { P1, P2, P3 } };
}

/** The adversary alone, with the limits of P2: in P2, or once more where the representation changed. */
export async function trainAdversary(
  name: string,
  { adversary, representation }: ThreePhaseNetworks,
  { train, validation, candidates, vocabulary }: ThreePhaseData,
  { P2, batchSentences, learner }: ThreePhaseConfig,
  context: StageContext,
): Promise<StageResult> {
  const pairs = {
    train: pairSource(train, candidates),
    validation: pairSource(validation, candidates),
  };
  const options = { name, ...P2, batchSentences, learner };
  return runStage(adversaryStage(adversary, representation, vocabulary, pairs, options), context);
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

function phase1(
  { representation, deidentifier }: ThreePhaseNetworks,
  { train, validation, vocabulary }: ThreePhaseData,
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

export function phase3(
  { representation, deidentifier, adversary }: ThreePhaseNetworks,
  { train, validation, vocabulary }: ThreePhaseData,
  pairs: { readonly train: PairSource; readonly validation: PairSource },
  { batchSentences, lambda, learner: learnerOptions, P3 }: ThreePhaseConfig,
): Stage {
  const networks = {
    representation: representation.parameters,
    deidentifier: deidentifier.parameters,
    adversary: adversary.parameters,
  };
  const learners = {
    representation: new Learner([networks.representation], learnerOptions),
    deidentifier: new Learner([networks.deidentifier], learnerOptions),
    adversary: new Learner([networks.adversary], learnerOptions),
  };
  const unseen = {
    ...{ examples: validation, vocabulary, batchSentences },
    source: pairs.validation,
  };
  const draw = (
    { batch, wanted }: StratifiedBatch<TextExample>,
    from: PairSource,
    random: Random,
  ) => releaseWithPairs(representation, vocabulary, batch, wanted, from, random);

  /** (a) One draw of the frozen representation serves both learners. */
  const stepA = (stratum: StratifiedBatch<TextExample>, random: Random) =>
    tf.tidy(() => {
      const { batch } = stratum;
      const drawn = draw(stratum, pairs.train, random);
      const l_deid = learners.deidentifier.step(() =>
        deidentifierLoss(deidentifier, drawn.releases, batch, random),
      );
      const l_adv = learners.adversary.step(() => pairLoss(adversary, drawn));
      return { l_deid, l_adv };
    });

  /** (b) The gradient passes through both frozen networks into the representation alone. */
  const objective = (stratum: StratifiedBatch<TextExample>, random: Random) => {
    const drawn = draw(stratum, pairs.train, random);
    const l_deid = deidentifierLoss(deidentifier, drawn.releases, stratum.batch, random);
    const l_adv = pairLoss(adversary, drawn);
    return l_deid.add<tf.Scalar>(distanceFromChance(l_adv).mul(lambda));
  };

  return {
    name: 'P3',
    ...P3,
    networks,
    optimisers: learners,
    tokensPerEpoch: 2 * tokensOf(train),
    *batches(random) {
      for (const stratum of pairedBatches(train, pairs.train, batchSentences, random)) {
        yield { tokens: stratum.batch.tokens, run: () => stepA(stratum, random) };
      }
      for (const stratum of pairedBatches(train, pairs.train, batchSentences, random)) {
        const loss = () => objective(stratum, random);
        const run = () => ({ l_rep: learners.representation.step(loss) });
        yield { tokens: stratum.batch.tokens, run };
      }
    },
    validate(random) {
      const panel = { representation, deidentifier, adversaries: [adversary] };
      const { l_deid, verdicts } = heldOut(panel, unseen, random);
      const [{ loss: l_adv, accuracy, stddev }] = verdicts;
      return {
        ...{ l_deid, l_adv, accuracy, stddev },
        monitor: l_deid + lambda * Math.abs(l_adv - Math.LN2),
      };
    },
  };
}

/** |l_adv − log 2|: zero where the adversary knows no more than a coin. */
function distanceFromChance(l_adv: tf.Scalar): tf.Scalar {
  return tf.abs(l_adv.sub(Math.LN2));
}

function valueOfScalar(scalar: tf.Scalar): number {
  return scalar.dataSync<'float32'>()[0];
}
