import { Adversary, type AdversaryTask } from '../../networks/adversary.js';
import { adversaryJudge, type PairEvidence } from '../../networks/judge.js';
import type { NamedArrays } from '../../networks/named-arrays.js';
import type * as tf from '../../tensor/tf.js';
import type { Attack } from '../attack.js';
import { featureScale } from './feature-scale.js';
import { learnedAdversary } from './learned-adversary.js';
import { LEARNING_LIMITS, type LearningLimits } from './learning-limits.js';

export interface ContinuedAdversaryOptions {
  readonly task?: AdversaryTask;
  /** LSTM units a direction; must fit `start` where that is given. */
  readonly units: number;
  /** The adversary at the freeze; without it a fresh one of its shape is trained. */
  readonly start?: NamedArrays | undefined;
  readonly limits?: LearningLimits;
}

/**
 * The paper's own test of privacy (Friedrich et al. 2019, section 5.3): with the representation
 * frozen, the adversary of training learns on. A fresh one of its shape is given vectors brought to
 * one size, from which it learns several times faster; the adversary of training sees what it always saw.
 */
export function continuedAdversary({
  task = 'both',
  units,
  start,
  limits = LEARNING_LIMITS,
}: ContinuedAdversaryOptions): Attack {
  const origin = start ? 'the adversary of training, which learns on' : 'a fresh adversary';
  return learnedAdversary({
    name: `${start ? 'continued' : 'fresh'}-adversary-${task}`,
    attack: start ? 'continued-adversary' : 'fresh-adversary',
    description: `${origin} and judges ${SEEN[task]}`,
    settings: { units, task },
    minutes: 1.5,
    limits,
    create(target, random) {
      const { embeddingDimension, dimension } = target.representation.config;
      const config = { embeddingDimension, dimension, units };
      if (start) return adversaryJudge(Adversary.fromWeights(config, start), task);
      const adversary = Adversary.create(config, random.fork('adversary'));
      const scale = (see: (evidence: PairEvidence) => tf.Tensor3D) =>
        featureScale(target, see, random.fork('scale'));
      return adversaryJudge(adversary, task, {
        embeddings: scale(({ embeddings }) => embeddings),
        releases: scale(({ second }) => second),
      });
    },
  });
}

const SEEN = {
  T1: 'the words beside a release',
  T2: 'two releases side by side',
  both: 'the words and two releases',
} as const;
