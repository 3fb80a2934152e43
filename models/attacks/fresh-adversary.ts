import { freshJudge, type JudgeShape } from '../networks/judge.js';
import type { Attack } from './attack.js';
import { LEARNING_LIMITS, type LearningLimits, learnedAdversary } from './learned-adversary.js';

export interface FreshAdversaryOptions {
  readonly shape: JudgeShape;
  readonly units: number;
  readonly limits?: LearningLimits;
}

/**
 * An adversary of a shape that training never met. It also sees what an attacker with the bundle can
 * compute: the words' representation without noise, and how far the release lies from it.
 */
export function freshAdversary({
  shape,
  units,
  limits = LEARNING_LIMITS,
}: FreshAdversaryOptions): Attack {
  const name = `${shape}-adversary-${units}`;
  return {
    name,
    weight: 1,
    reports: 1,
    async run(target, context) {
      const judge = freshJudge(
        shape,
        target.representation.config,
        units,
        context.random.fork('judge'),
      );
      const description = `a fresh network (${SHAPES[shape]}) that knows the words, the model and two releases`;
      const heading = { name, description, settings: { shape, units } };
      const report = await learnedAdversary(judge, heading, target, limits, context);
      judge.parameters.dispose();
      return [report];
    },
  };
}

const SHAPES = {
  bilstm: 'BiLSTM',
  attention: 'attention pooling',
  pooled: 'pooled layers without order',
} as const;
