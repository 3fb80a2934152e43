import type { Judge } from '../../networks/judge.js';
import { sigmoidCrossEntropy } from '../../tensor/cross-entropy.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { BATCH_SENTENCES, lengthBuckets, tokensOf } from '../../training/data/batch.js';
import { drawPairs, type PairSource, pairSource } from '../../training/data/pairs.js';
import { Learner } from '../../training/run/learner.js';
import { LEARNER_DEFAULTS } from '../../training/run/learner-options.js';
import type { Stage } from '../../training/run/stage.js';
import { observe } from '../likelihood/observe.js';
import { evidenceOf } from '../likelihood/pair-evidence.js';
import type { AuditTarget } from '../target.js';
import type { LearningLimits } from './learning-limits.js';

/** Pairs of each validation sentence: with few, the best epoch would be chosen by luck. */
const VALIDATION_ROUNDS = 3;

/** Trains a judge on pairs of the attacker's own notes, drawn afresh in every epoch. */
export function judgeStage(
  judge: Judge,
  name: string,
  target: AuditTarget,
  limits: LearningLimits,
): Stage {
  const { learningRate = LEARNER_DEFAULTS.learningRate } = limits;
  const learner = new Learner([judge.parameters], { ...LEARNER_DEFAULTS, learningRate });
  const source = {
    train: pairSource(target.train, target.candidates),
    validation: pairSource(target.validation, target.candidates),
  };
  return {
    name,
    ...limits,
    networks: { judge: judge.parameters },
    optimisers: { judge: learner },
    tokensPerEpoch: tokensOf(source.train.positions.keys()),
    startCounts: true,
    *batches(random) {
      for (const { tokens, draw } of drawnPairs(target, source.train, random)) {
        const run = () =>
          tf.tidy(() => {
            const { evidence, real } = draw();
            let right = 0;
            const l_adv = learner.step(() => {
              const logits = judge.logits(evidence);
              right = rightOf(logits, real);
              return lossOf(logits, real);
            });
            return { l_adv, accuracy: right / real.length };
          });
        yield { tokens, run };
      }
    },
    validate(random) {
      let loss = 0;
      let right = 0;
      let pairs = 0;
      for (let round = 0; round < VALIDATION_ROUNDS; round++) {
        for (const { draw } of drawnPairs(target, source.validation, random)) {
          tf.tidy(() => {
            const { evidence, real } = draw();
            const logits = judge.logits(evidence);
            loss += real.length * lossOf(logits, real).dataSync<'float32'>()[0];
            right += rightOf(logits, real);
            pairs += real.length;
          });
        }
      }
      return { l_adv: loss / pairs, accuracy: right / pairs, monitor: loss / pairs };
    },
  };
}

function rightOf(logits: tf.Tensor1D, real: Float32Array): number {
  return logits.dataSync<'float32'>().filter((score, i) => score >= 0 === (real[i] === 1)).length;
}

function lossOf(logits: tf.Tensor1D, real: Float32Array): tf.Scalar {
  return tf.mean(sigmoidCrossEntropy(logits, tf.tensor1d(real)));
}

/** One pair of every sentence that can make one, in batches; `draw` inside a tidy. */
export function* drawnPairs(target: AuditTarget, source: PairSource, random: Random) {
  const examples = [...source.positions.keys()];
  for (const { examples: batch, tokens } of lengthBuckets(examples, BATCH_SENTENCES, random)) {
    const draw = () => {
      const { ids, real } = drawPairs(batch, source, random);
      const held = batch.map((example) => {
        return { ids: example.ids, movable: source.positions.get(example) ?? [] };
      });
      const { representation, vocabulary } = target;
      const released = observe(representation, vocabulary, ids, random);
      return { evidence: evidenceOf(target, held, released, random), real };
    };
    yield { tokens, draw };
  }
}
