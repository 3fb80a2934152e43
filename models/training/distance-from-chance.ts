import { type Adversary, adversaryLoss } from '../networks/adversary.js';
import * as tf from '../tensor/tf.js';
import type { AdversarialBatch } from './adversarial-batch.js';
import type { Verdicts } from './verdicts.js';

/**
 * What P3(b) makes small, so that the adversary knows no more than a coin:
 *
 *   absolute   |l_adv − log 2| of a batch (Feutry et al. 2018; the paper)
 *   squared    (l_adv − log 2)², whose gradient fades where the goal is near
 *   confusion  the cross-entropy of every single verdict with a coin, less log 2 (Tzeng et al. 2015):
 *              errors that cancel out in a mean do not here
 */
export const DISTANCES = ['absolute', 'squared', 'confusion'] as const;
export type Distance = (typeof DISTANCES)[number];

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
  const difference = adversaryLoss(probabilities, real).sub<tf.Scalar>(Math.LN2);
  return distance === 'absolute' ? tf.abs(difference) : difference.square();
}

/** Of all held-out pairs. */
export function heldOutDistance(distance: Distance, { loss, confusion }: Verdicts): number {
  if (distance === 'confusion') return confusion - Math.LN2;
  const difference = loss - Math.LN2;
  return distance === 'absolute' ? Math.abs(difference) : difference ** 2;
}
