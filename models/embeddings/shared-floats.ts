/** Zeros in memory that every thread of the process can read. */
export function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(Float32Array.BYTES_PER_ELEMENT * length));
}

/** As they are where they are in such memory, else a copy. */
export function asShared(values: Float32Array): Float32Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const shared = sharedFloats(values.length);
  shared.set(values);
  return shared;
}
