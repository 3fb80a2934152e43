import { crc32 } from 'node:zlib';
import { hasAddon, nativeFunction } from '../../models/tensor/addon.js';
import { type SquaredNorms, squaredNorms } from '../../proto/element.js';
import type { Checksum } from '../../proto/segment-frame.js';
import type { SegmentSums } from '../../proto/segment-parser.js';

const norms: SquaredNorms = (bytes, type, places) => {
  if (type !== 'float16' || !hasAddon()) return squaredNorms(bytes, type, places);
  const sums = new Float64Array(places.length / 2);
  nativeFunction('float16Squares')(bytes, places, new Uint8Array(sums.buffer));
  return sums;
};

let isFast: boolean | undefined;

const checksum: Checksum = (bytes) => {
  isFast ??= hasAddon() && nativeFunction('hasCarrylessProducts')();
  return isFast ? nativeFunction('crc32')(bytes) : crc32(bytes);
};

/** As `proto` takes them, by the processor's vector instructions where the addon is there. */
export const FAST_SUMS = { norms, checksum } satisfies SegmentSums;
