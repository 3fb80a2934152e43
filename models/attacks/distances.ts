import { setImmediate } from 'node:timers/promises';
import { squaredDistances } from '../certification/squared-distances.js';
import { inFloat32 } from '../tensor/backend.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, paddedIds } from '../training/data/batch.js';
import type { StageContext } from '../training/run/stage-context.js';
import type { AuditTarget } from './target.js';

/** A sentence and its twin of the same length. */
export interface Twins {
  readonly ids: Int32Array;
  readonly twin: Int32Array;
}

/** Δ(n)² of each pair, [draws] each, one value a draw of the input noise n; of f in float32, as releases are. */
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
      const squared = inFloat32(() =>
        tf.tidy(() =>
          squaredDistances(
            representation,
            representation.embed(vocabulary, ids, steps),
            representation.embed(vocabulary, twins, steps),
            lengths,
            random,
          ).dataSync<'float32'>(),
        ),
      );
      batch.forEach((pair, row) => {
        distances[pair][draw] = squared[row];
      });
    }
    await setImmediate();
  }
  return distances;
}
