import { inParallel } from '../platform/parallel.js';
import { decodeElements, ELEMENT_BYTES } from '../proto/element.js';
import type { Blobs } from './blobs.js';
import { probeTokens } from './probe-sample.js';
import type { SegmentRecord } from './segment-records.js';

/** The points that stand for a stored segment: the first vectors of each sampled sentence in a row. */
export async function readProbes(
  blobs: Blobs,
  { digest, dimension, elementType, probes }: SegmentRecord,
): Promise<number[][]> {
  const size = probeTokens(dimension) * dimension * ELEMENT_BYTES[elementType];
  const blob = await blobs.open(digest);
  try {
    return await inParallel(probes, blobs.parallelReads, async (place) => {
      const bytes = Buffer.alloc(size);
      await blob.readInto(place, bytes);
      return [...decodeElements(bytes, elementType)];
    });
  } finally {
    await blob.close();
  }
}
