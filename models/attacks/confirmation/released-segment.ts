import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/examples.js';
import { chunks } from '../chunks.js';
import { observeNotes } from '../likelihood/observe.js';
import type { AuditTarget } from '../target.js';

/** Releases of sentences of one length T, in the same order as the sentences' labels. */
export interface ReleasesOfLength {
  /** [K][T] */
  readonly labels: readonly Uint8Array[];
  /** [K][T·d] */
  readonly vectors: readonly Float32Array[];
}

/** What was contributed, as anyone sees it: by length, the releases of `examples` with their labels. */
export function releasedSegment(
  target: AuditTarget,
  examples: readonly TextExample[],
  random: Random,
): Map<number, ReleasesOfLength> {
  const lengths = new Set(examples.map(({ ids }) => ids.length));
  return new Map(
    [...lengths].map((length) => {
      const own = examples.filter(({ ids }) => ids.length === length);
      const vectors = chunks(own).flatMap((batch) =>
        scoped(() => {
          const released = observeNotes(target, batch, random);
          return tf.unstack(released).map((each) => Float32Array.from(each.dataSync<'float32'>()));
        }),
      );
      return [length, { labels: own.map(({ labels }) => labels), vectors }];
    }),
  );
}
