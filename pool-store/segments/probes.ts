import { inParallel } from '../../platform/parallel.js';
import {
  decodeElements,
  ELEMENT_BYTES,
  type ElementType,
  encodeElements,
} from '../../proto/element.js';
import type { Blobs } from '../blobs/blobs.js';
import { probeTokens } from './probe-sample.js';
import type { SegmentRecord } from './segment-records.js';

/** So far apart two probes are still read at once: to ask once more takes longer than these bytes. */
const GAP_BYTES = 64 * 1024;
/** At most so much is read at once. */
const MOST_BYTES = 1024 * 1024;

/** The points that stand for a stored segment: the first vectors of each sampled sentence in a row. */
export async function readProbes(blobs: Blobs, segment: SegmentRecord): Promise<Float32Array[]> {
  const { digest, elementType, probes, bytes: length } = segment;
  const size = pointBytes(segment);
  const blob = await blobs.open(digest, undefined, length);
  try {
    const points = new Map<number, Float32Array>();
    await inParallel(neighbours(probes, size), blobs.parallelReads, async (places) => {
      const first = places[0] as number;
      const bytes = Buffer.alloc((places.at(-1) as number) + size - first);
      await blob.readInto(first, bytes);
      for (const place of places) {
        const own = bytes.subarray(place - first, place - first + size);
        points.set(place, decodeElements(own, elementType));
      }
    });
    return probes.map((place) => points.get(place) as Float32Array);
  } finally {
    await blob.close();
  }
}

/** The points of a segment in a row, as they stand in it. */
export function packPoints(points: readonly Float32Array[], elementType: ElementType): Uint8Array {
  return Buffer.concat(points.map((point) => encodeElements(point, elementType)));
}

/** Undefined where they are not those of this segment. */
export function unpackPoints(
  packed: Uint8Array,
  segment: SegmentRecord,
): Float32Array[] | undefined {
  const size = pointBytes(segment);
  if (packed.length !== segment.probes.length * size) return undefined;
  return segment.probes.map((_, i) =>
    decodeElements(packed.subarray(i * size, (i + 1) * size), segment.elementType),
  );
}

function pointBytes({ dimension, elementType }: SegmentRecord): number {
  return probeTokens(dimension) * dimension * ELEMENT_BYTES[elementType];
}

/** Places in order, in groups that are each read at once. */
function neighbours(probes: readonly number[], size: number): number[][] {
  const groups: number[][] = [];
  for (const place of [...probes].sort((a, b) => a - b)) {
    const group = groups.at(-1);
    const isNear =
      group !== undefined &&
      place - (group.at(-1) as number) <= GAP_BYTES &&
      place + size - (group[0] as number) <= MOST_BYTES;
    if (isNear) group.push(place);
    else groups.push([place]);
  }
  return groups;
}
