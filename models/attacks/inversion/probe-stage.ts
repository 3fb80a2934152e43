import type { Probe } from '../../networks/probe.js';
import { softmaxCrossEntropy } from '../../tensor/cross-entropy.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { Learner } from '../../training/run/learner.js';
import { LEARNER_DEFAULTS } from '../../training/run/learner-options.js';
import type { Stage } from '../../training/run/stage.js';
import { chunks } from '../chunks.js';
import type { LearningLimits } from '../learned/learning-limits.js';

export interface ProbeData<T> {
  readonly train: readonly T[];
  readonly validation: readonly T[];
  /** What the attacker sees of items, [P, I]; drawn afresh where it is noisy. */
  vectors(items: readonly T[], random: Random): tf.Tensor2D;
  classOf(item: T): number;
}

const LEARNING_RATE = 0.003;

/** Trains a probe to tell the class of items. */
export function probeStage<T>(
  name: string,
  probe: Probe,
  data: ProbeData<T>,
  limits: LearningLimits,
): Stage {
  const learner = new Learner([probe.parameters], {
    ...LEARNER_DEFAULTS,
    learningRate: LEARNING_RATE,
  });
  const lossOf = (x: tf.Tensor2D, items: readonly T[]): tf.Scalar => {
    const classes = Int32Array.from(items, (item) => data.classOf(item));
    return tf.mean(softmaxCrossEntropy(probe.logits(x), classes));
  };
  return {
    name,
    ...limits,
    networks: { probe: probe.parameters },
    optimisers: { learner },
    *batches(random) {
      const order = [...data.train];
      random.shuffle(order);
      for (const batch of chunks(order)) {
        const run = () =>
          tf.tidy(() => {
            const x = data.vectors(batch, random);
            return { l_class: learner.step(() => lossOf(x, batch)) };
          });
        yield { tokens: batch.length, run };
      }
    },
    validate(random) {
      let sum = 0;
      for (const batch of chunks(data.validation)) {
        const loss = () => lossOf(data.vectors(batch, random), batch).dataSync<'float32'>()[0];
        sum += batch.length * tf.tidy(loss);
      }
      const l_class = sum / data.validation.length;
      return { l_class, monitor: l_class };
    },
  };
}

/** The log-probability of each class for each item, [P][C]. */
export function classScores<T>(
  probe: Probe,
  data: Pick<ProbeData<T>, 'vectors'>,
  items: readonly T[],
  random: Random,
): Float32Array[] {
  return chunks(items).flatMap((batch) => {
    const logits = tf.tidy(() => tf.logSoftmax(probe.logits(data.vectors(batch, random))));
    const values = logits.dataSync<'float32'>();
    const classes = logits.shape[1];
    logits.dispose();
    return batch.map((_, i) => values.slice(i * classes, (i + 1) * classes));
  });
}
