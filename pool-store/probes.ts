import { decodeElements, ELEMENT_BYTES } from '../proto/element.js';
import type { BlobStore } from './blob-store.js';
import { readInto } from './block-index.js';
import { probeTokens } from './probe-sample.js';
import type { SegmentRecord } from './segment-records.js';

/** The points that stand for a stored segment: the first vectors of each sampled sentence in a row. */
export async function readProbes(
  blobs: BlobStore,
  { digest, dimension, elementType, probes }: SegmentRecord,
): Promise<number[][]> {
  const bytes = Buffer.alloc(probeTokens(dimension) * dimension * ELEMENT_BYTES[elementType]);
  const file = await blobs.open(digest);
  try {
    const points: number[][] = [];
    for (const place of probes) {
      await readInto(file, place, bytes);
      points.push([...decodeElements(bytes, elementType)]);
    }
    return points;
  } finally {
    await file.close();
  }
}
