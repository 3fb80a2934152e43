import type { Parameters } from '../networks/parameters.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import type { ThreePhaseConfig } from './configuration/three-phase-config.js';
import { type Batch, cycledBuckets, lengthBuckets } from './data/batch.js';
import type { TextExample } from './data/examples.js';
import { GeneralLoss, meanLoss } from './general/general-loss.js';
import { labelledTargets, type TargetRule, unlabelledTargets } from './general/general-targets.js';
import type { Learner } from './run/learner.js';
import type { Metrics } from './run/step.js';
import type { ThreePhaseData } from './three-phase-data.js';

/** What a stage trains on for itself: its loss on a batch, and the releases [B, T, d] that it drew. */
export interface OwnTerms {
  readonly loss: tf.Scalar;
  readonly releases: tf.Tensor3D;
}

/** One step on a batch; returns its losses, the stage's own as `name`. */
type StepOnBoth = (name: string, batch: Batch<TextExample>, own: () => OwnTerms) => Metrics;

/** What f learns besides in a stage that trains it on labelled notes. */
export interface GeneralTraining {
  /** Trained by the stage's learner and kept in its checkpoints. */
  readonly networks: Readonly<Record<string, Parameters>>;
  /** The steps of an epoch, each on the stage's own loss + μ l_general. */
  steps(learner: Learner, random: Random): StepOnBoth;
  /** l_general on held-out notes, and l_unlabelled on held-out text without labels. */
  validate(random: Random): Metrics;
}

const NOTHING_BESIDES: GeneralTraining = {
  networks: {},
  steps: (learner) => (name, _, own) => ({ [name]: learner.step(() => own().loss) }),
  validate: () => ({}),
};

/**
 * Where there is a task, l_general is taken on every batch of notes, and together with it on a batch of
 * as many sentences without labels, where there are some: one mean over the targets of both, in the
 * step of the stage's own loss. The draws of that loss are those of a training without one.
 */
export function generalTraining(
  representation: Representation,
  data: ThreePhaseData,
  { general, batchSentences }: Pick<ThreePhaseConfig, 'general' | 'batchSentences'>,
): GeneralTraining {
  const { general: task, vocabulary } = data;
  if (!task) return NOTHING_BESIDES;
  const { train, validation } = task.unlabelled ?? { train: [], validation: [] };
  const losses = new GeneralLoss(representation, vocabulary, task, general);
  const isTarget = labelledTargets(vocabulary, task.naming);
  const isUnlabelledTarget = unlabelledTargets(vocabulary, task.naming);
  return {
    networks: { general: task.heads.parameters },
    steps(learner, random) {
      const draws = random.fork('general');
      const texts = cycledBuckets(train, batchSentences, random.fork('unlabelled'));
      return (name, batch, own) => {
        const text = texts.next().value;
        let l_general: number | undefined;
        const both = learner.step(() => {
          const { loss, releases } = own();
          const besides = meanLoss([
            ...losses.of(batch, isTarget, draws, releases),
            ...(text ? losses.of(text, isUnlabelledTarget, draws) : []),
          ]);
          l_general = besides?.dataSync<'float32'>()[0];
          return besides ? loss.add<tf.Scalar>(besides.mul(general.weight)) : loss;
        });
        if (l_general === undefined) return { [name]: both };
        return { [name]: both - general.weight * l_general, l_general };
      };
    },
    validate(random) {
      const draws = random.fork('general');
      const heldOut = (examples: readonly TextExample[], rule: TargetRule) =>
        heldOutLoss(losses, lengthBuckets(examples, batchSentences), rule, draws);
      const l_general = heldOut(data.validation, isTarget);
      const l_unlabelled = heldOut(validation, isUnlabelledTarget);
      return {
        ...(l_general !== undefined && { l_general }),
        ...(l_unlabelled !== undefined && { l_unlabelled }),
      };
    },
  };
}

/** The mean over the targets of batches; undefined where there are none. */
function heldOutLoss(
  losses: GeneralLoss,
  batches: Iterable<Batch<TextExample>>,
  isTarget: TargetRule,
  random: Random,
): number | undefined {
  let sum = 0;
  let targets = 0;
  for (const batch of batches)
    tf.tidy(() => {
      for (const each of losses.of(batch, isTarget, random)) {
        sum += each.sum.dataSync<'float32'>()[0];
        targets += each.targets;
      }
    });
  return targets === 0 ? undefined : sum / targets;
}
