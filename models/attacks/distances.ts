import { setImmediate } from 'node:timers/promises';
import { accuracyLimit } from '../certification/accuracy.js';
import { squaredDistances } from '../certification/squared-distances.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, paddedIds } from '../training/batch.js';
import type { StageContext } from '../training/stage-context.js';
import type { AuditTarget } from './target.js';

/** A sentence and its twin of the same length. */
export interface Twins {
  readonly ids: Int32Array;
  readonly twin: Int32Array;
}

/** Of a coin, which no best test is worse than. */
export const LEAST_BOUND = 0.5;

/** Δ(n)² of each pair, [draws] each, one value a draw of the input noise n. */
export async function twinDistances(
  { representation, vocabulary }: Pick<AuditTarget, 'representation' | 'vocabulary'>,
  pairs: readonly Twins[],
  draws: number,
  random: Random,
  { signal, progress }: Pick<StageContext, 'signal' | 'progress'> = {},
): Promise<Float32Array[]> {
  const distances = pairs.map(() => new Float32Array(draws));
  const order = pairs.map((_, i) => i).sort((a, b) => pairs[a].ids.length - pairs[b].ids.length);
  for (let from = 0; from < order.length; from += BATCH_SENTENCES) {
    signal?.throwIfAborted();
    progress?.({ step: 'certified bound', done: from, total: order.length, unit: 'pairs' });
    const batch = order.slice(from, from + BATCH_SENTENCES);
    const lengths = Int32Array.from(batch, (i) => pairs[i].ids.length);
    const steps = Math.max(...lengths);
    const idsOf = (side: 'ids' | 'twin') =>
      paddedIds(
        batch.map((i) => pairs[i][side]),
        steps,
      );
    const [ids, twins] = [idsOf('ids'), idsOf('twin')];
    for (let draw = 0; draw < draws; draw++) {
      const squared = tf.tidy(() =>
        squaredDistances(
          representation,
          representation.embed(vocabulary, ids, steps),
          representation.embed(vocabulary, twins, steps),
          lengths,
          random,
        ).dataSync<'float32'>(),
      );
      batch.forEach((pair, row) => {
        distances[pair][draw] = squared[row];
      });
    }
    await setImmediate();
  }
  return distances;
}

/**
 * The most that any test between x and x' can be right, from draws of Δ²: E[Φ(Δ/2)] for one release;
 * Φ(½√(k E[Δ²])) for k, a limit since each release has input noise of its own, the best test given
 * all of them is right with Φ(½√ΣΔᵢ²), and Φ(½√s) is concave in s.
 */
export function pairBound(squared: ArrayLike<number>, releases = 1): number {
  if (releases > 1) return accuracyLimit(releases * mean(squared));
  let sum = 0;
  for (let i = 0; i < squared.length; i++) sum += accuracyLimit(squared[i]);
  return sum / squared.length;
}

/**
 * The most that any attack can name a word that was drawn uniformly from N options, from draws of Δ²
 * between each option and one of them: 1/N + mean of (2 · pair bound − 1).
 */
export function namingBound(squared: readonly ArrayLike<number>[], releases = 1): number {
  const advantages = squared.reduce((sum, own) => sum + 2 * pairBound(own, releases) - 1, 0);
  return Math.min(1, (1 + advantages) / squared.length);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}
