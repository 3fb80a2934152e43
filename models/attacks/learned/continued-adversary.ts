import { Adversary, type AdversaryTask } from '../../networks/adversary.js';
import { adversaryJudge, type PairEvidence } from '../../networks/judge.js';
import type { NamedArrays } from '../../networks/named-arrays.js';
import type * as tf from '../../tensor/tf.js';
import type { Attack } from '../attack.js';
import type { AuditTarget } from '../target.js';
import { featureScale } from './feature-scale.js';
import { type JudgePlan, learnedAdversary } from './learned-adversary.js';
import { LEARNING_LIMITS, type LearningLimits } from './learning-limits.js';

export interface TrainingAdversaryOptions {
  readonly task?: AdversaryTask;
  /** LSTM units a direction. */
  readonly units: number;
  readonly limits?: LearningLimits;
}

/**
 * The paper's own test of privacy (Friedrich et al. 2019, sections 7.3 and 9): with the representation
 * frozen, the adversary of training learns on from its weights at the freeze, for 50 epochs there (20 after gradient
 * reversal).
 */
export function continuedAdversary({
  start,
  ...options
}: TrainingAdversaryOptions & { readonly start: NamedArrays }): Attack {
  const { task = 'both' } = options;
  return learnedAdversary({
    ...planOf(options, 'continued-adversary', 'the adversary of training, which learns on'),
    create: (target) =>
      adversaryJudge(Adversary.fromWeights(configOf(target, options), start), task),
  });
}

/**
 * A fresh adversary of the shape of the one of training. It is given vectors brought to one size, from
 * which it learns several times faster than from those that the adversary of training sees.
 */
export function freshTrainingAdversary(options: TrainingAdversaryOptions): Attack {
  const { task = 'both' } = options;
  return learnedAdversary({
    ...planOf(options, 'fresh-adversary', 'a fresh adversary'),
    create(target, random) {
      const scaleOf = (see: (evidence: PairEvidence) => tf.Tensor3D) =>
        featureScale(target, see, random.fork('scale'));
      const scale = {
        embeddings: scaleOf(({ embeddings }) => embeddings),
        releases: scaleOf(({ second }) => second),
      };
      const adversary = Adversary.create(configOf(target, options), random.fork('adversary'));
      return adversaryJudge(adversary, task, scale);
    },
  });
}

const SEEN = {
  T1: 'the words beside a release',
  T2: 'two releases side by side',
  both: 'the words and two releases',
} as const;

function planOf(
  { task = 'both', units, limits = LEARNING_LIMITS }: TrainingAdversaryOptions,
  attack: JudgePlan['attack'],
  who: string,
): Omit<JudgePlan, 'create'> {
  return {
    name: `${attack}-${task}`,
    attack,
    description: `${who} and judges ${SEEN[task]}`,
    settings: { units, task },
    minutes: 1.5,
    limits,
  };
}

function configOf({ representation }: AuditTarget, { units }: TrainingAdversaryOptions) {
  const { inputDimension, config } = representation;
  return { inputDimension, dimension: config.dimension, units };
}
