import { Adversary } from '../networks/adversary.js';
import { Deidentifier } from '../networks/deidentifier.js';
import { VECTORS_ALONE } from '../networks/deidentifier-config.js';
import { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { adversaryStage } from './adversary-stage.js';
import type { ThreePhaseConfig } from './configuration/three-phase-config.js';
import { type Batch, lengthBuckets, paddedIds, tokensOf } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import { pairSources } from './data/pairs.js';
import { examplesOfEpoch } from './data/turns.js';
import { releasedLoss } from './deidentifier-loss.js';
import { generalTraining } from './general-training.js';
import { Opponent } from './opponent.js';
import { phase3 } from './phase3.js';
import { Learner } from './run/learner.js';
import { runStage } from './run/run-stage.js';
import type { Stage, StageResult } from './run/stage.js';
import type { StageContext } from './run/stage-context.js';
import type { ThreePhaseData, ThreePhaseNetworks } from './three-phase-data.js';

export interface ThreePhaseResult extends ThreePhaseNetworks {
  readonly stages: Readonly<Record<string, StageResult>>;
}

/** P1, P2 and P3 of Feutry et al. 2018 in the form of Friedrich et al. 2019, section 5.4. */
export async function trainThreePhase(
  data: ThreePhaseData,
  config: ThreePhaseConfig,
  context: StageContext,
): Promise<ThreePhaseResult> {
  const { stages: first, ...networks } = await trainPhase1(data, config, context);
  const stages: Record<string, StageResult> = { ...first };
  stages.P2 = await trainAdversary('P2', networks, data, config, context);
  stages.P3 = await runStage(phase3(networks, data, pairSources(data), config), context);
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
  const pairs = pairSources({ train, validation, candidates });
  const opponent = new Opponent(adversary, learner);
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
  const representation = Representation.create(
    { ...config.representation, embeddingDimension },
    random,
  );
  const { inputDimension } = representation;
  return {
    representation,
    deidentifier: Deidentifier.create(
      { ...config.deidentifier, ...VECTORS_ALONE, inputDimension: dimension, labels },
      random,
    ),
    adversary: Adversary.create({ ...config.adversary, inputDimension, dimension }, random),
  };
}

function phase1(
  { representation, deidentifier }: ThreePhaseNetworks,
  data: ThreePhaseData,
  config: ThreePhaseConfig,
): Stage {
  const { validation, vocabulary } = data;
  const { batchSentences, learner: learnerOptions, P1 } = config;
  const general = generalTraining(representation, data, config);
  const networks = {
    representation: representation.parameters,
    deidentifier: deidentifier.parameters,
    ...general.networks,
  };
  const learner = new Learner(Object.values(networks), learnerOptions);
  const draw = (batch: Batch<TextExample>, noise: Random, dropout?: Random) => {
    const ids = paddedIds(
      batch.examples.map((example) => example.ids),
      batch.steps,
    );
    const x = representation.embed(vocabulary, ids, batch.steps); // [B, T, I]
    const releases = representation.forward(x, batch.lengths, noise); // [B, T, d]
    return { loss: releasedLoss(deidentifier, releases, batch, vocabulary, dropout), releases };
  };
  return {
    name: 'P1',
    guessing: deidentifier.guessing,
    ...P1,
    networks,
    optimisers: { learner },
    tokensPerEpoch: tokensOf(examplesOfEpoch(data, 1)),
    *batches(random, epoch) {
      const step = general.steps(learner, random);
      for (const batch of lengthBuckets(examplesOfEpoch(data, epoch), batchSentences, random)) {
        const run = () => step('l_deid', batch, () => draw(batch, random, random));
        yield { tokens: batch.tokens, run };
      }
    },
    validate(random) {
      let sum = 0;
      let tokens = 0;
      for (const batch of lengthBuckets(validation, batchSentences)) {
        sum += batch.tokens * tf.tidy(() => valueOfScalar(draw(batch, random).loss));
        tokens += batch.tokens;
      }
      const l_deid = sum / tokens;
      return { l_deid, ...general.validate(random), monitor: l_deid };
    },
  };
}

function valueOfScalar(scalar: tf.Scalar): number {
  return scalar.dataSync<'float32'>()[0];
}
