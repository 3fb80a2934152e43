import type { FeatureScale, PairEvidence } from '../../networks/judge.js';
import { tokenMask } from '../../networks/pooling.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { pairSource } from '../../training/data/pairs.js';
import type { AuditTarget } from '../target.js';
import { drawnPairs } from './judge-stage.js';

/** Batches of pairs that the scale is taken from. */
const BATCHES = 16;

/** Features whose standard deviation is smaller are constant, and are left out. */
const LEAST_SPREAD = 1e-6;

/** Centre and spread, over pairs of the attacker's own notes, of what it sees of tokens, [P, T, W]. */
export function featureScale(
  target: AuditTarget,
  see: (evidence: PairEvidence) => tf.Tensor3D,
  random: Random,
): FeatureScale {
  let tokens = 0;
  const sums: Float32Array[] = [];
  const squares: Float32Array[] = [];
  const source = pairSource(target.train, target.candidates);
  for (const batch of drawnPairs(target, source, random)) {
    if (sums.length === BATCHES) break;
    tokens += batch.tokens;
    tf.tidy(() => {
      const { evidence } = batch.draw();
      const all = see(evidence);
      const seen = all.mul(tokenMask(evidence.lengths, all.shape[1]));
      sums.push(seen.sum([0, 1]).dataSync<'float32'>());
      squares.push(seen.square().sum([0, 1]).dataSync<'float32'>());
    });
  }
  const centre = totals(sums).map((sum) => sum / tokens);
  const reciprocal = totals(squares).map((square, i) => {
    const spread = Math.sqrt(Math.max(0, square / tokens - centre[i] ** 2));
    return spread > LEAST_SPREAD ? 1 / spread : 0;
  });
  return { centre: Float32Array.from(centre), reciprocal: Float32Array.from(reciprocal) };
}

function totals(batches: readonly Float32Array[]): Float64Array {
  const sums = new Float64Array(batches[0].length);
  for (const batch of batches)
    batch.forEach((value, i) => {
      sums[i] += value;
    });
  return sums;
}
