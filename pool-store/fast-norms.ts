import { hasAddon, nativeFunction } from '../models/tensor/addon.js';
import { type SquaredNorms, squaredNorms } from '../proto/element.js';

/** As `squaredNorms`, by the processor's vector instructions where the addon is there. */
export const fastNorms: SquaredNorms = (bytes, type, places) => {
  if (type !== 'float16' || !hasAddon()) return squaredNorms(bytes, type, places);
  const sums = new Float64Array(places.length / 2);
  nativeFunction('float16Squares')(bytes, places, new Uint8Array(sums.buffer));
  return sums;
};
