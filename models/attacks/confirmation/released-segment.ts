import { groupedBy } from '../../../platform/grouped-by.js';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/data/examples.js';
import { chunks } from '../chunks.js';
import { observeNotes } from '../likelihood/observe.js';
import type { AuditTarget } from '../target.js';
import type { Cut } from './cut.js';

/** Releases of sentences, or of pieces of them, of one length T, in the same order as their labels. */
export interface ReleasesOfLength {
  /** [K][T] */
  readonly labels: readonly Uint8Array[];
  /** [K][T·d] */
  readonly vectors: readonly Float32Array[];
}

/** What was contributed, as anyone sees it: by length, the releases of the pieces of `examples` with their labels. */
export function releasedSegment(
  target: AuditTarget,
  examples: readonly TextExample[],
  cut: Cut,
  random: Random,
): Map<number, ReleasesOfLength> {
  const d = target.representation.config.dimension;
  const segment = new Map<number, { labels: Uint8Array[]; vectors: Float32Array[] }>();
  for (const own of groupedBy(examples, ({ ids }) => ids.length).values()) {
    for (const batch of chunks(own)) {
      const wholes = scoped(() => {
        const released = observeNotes(target, batch, random);
        return tf.unstack(released).map((each) => Float32Array.from(each.dataSync<'float32'>()));
      });
      for (const [i, example] of batch.entries())
        for (const { start, end } of cut.released(example)) {
          const { labels, vectors } = segment.get(end - start) ?? { labels: [], vectors: [] };
          labels.push(example.labels.subarray(start, end));
          vectors.push(wholes[i].subarray(start * d, end * d));
          segment.set(end - start, { labels, vectors });
        }
    }
  }
  return segment;
}
