import {
  freshJudge,
  type JudgeShape,
  judgeFeatures,
  type PairEvidence,
} from '../../networks/judge.js';
import type { Attack } from '../attack.js';
import { featureScale } from './feature-scale.js';
import { learnedAdversary } from './learned-adversary.js';
import { LEARNING_LIMITS, type LearningLimits } from './learning-limits.js';

export interface FreshAdversaryOptions {
  readonly shape: JudgeShape;
  readonly units: number;
  readonly limits?: LearningLimits;
}

/**
 * An adversary of a shape that training never met. It also sees what an attacker with the bundle can
 * compute: what to expect of the release, how far it lies from that, and which tokens may have moved.
 */
export function freshAdversary({
  shape,
  units,
  limits = LEARNING_LIMITS,
}: FreshAdversaryOptions): Attack {
  return learnedAdversary({
    name: `${shape}-adversary-${units}`,
    attack: 'fresh-adversary',
    description: `a fresh network (${SHAPES[shape]}) that knows the words, the model and two releases`,
    settings: { shape, units },
    minutes: shape === 'bilstm' ? 1.5 : 1,
    limits,
    create(target, random) {
      const see = (evidence: PairEvidence) => judgeFeatures(evidence, evidence.computed());
      const scale = featureScale(target, see, random.fork('scale'));
      const { inputDimension, config } = target.representation;
      const seen = { inputDimension, dimension: config.dimension };
      return freshJudge(shape, seen, units, scale, random.fork('judge'));
    },
  });
}

const SHAPES = {
  bilstm: 'BiLSTM',
  attention: 'attention pooling',
  pooled: 'pooled layers without order',
} as const;
