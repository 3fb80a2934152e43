import { type Adversary, adversaryLoss } from '../networks/adversary.js';
import * as tf from '../tensor/tf.js';
import type { AdversarialBatch } from './adversarial-batch.js';
import type { Distance } from './configuration/three-phase-config.js';
import type { PairAnswers } from './pair-answers.js';

/** Of one batch, a scalar that is 0 at chance. */
export function distanceFromChance(
  distance: Distance,
  adversary: Adversary,
  { pairs, real }: AdversarialBatch,
): tf.Scalar {
  const probabilities = adversary.probabilities(pairs); // [P]
  if (distance === 'confusion') {
    const [ones, zeros] = [1, 0].map((target) => new Float32Array(real.length).fill(target));
    const both = adversaryLoss(probabilities, ones).add(adversaryLoss(probabilities, zeros));
    return both.div(2).sub<tf.Scalar>(Math.LN2);
  }
  return tf.abs(adversaryLoss(probabilities, real).sub<tf.Scalar>(Math.LN2));
}

/** Of all held-out pairs. */
export function heldOutDistance(distance: Distance, { loss, confusion }: PairAnswers): number {
  return distance === 'confusion' ? confusion - Math.LN2 : Math.abs(loss - Math.LN2);
}
