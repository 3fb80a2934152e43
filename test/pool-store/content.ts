import type { BlobContent } from '../../pool-store/blobs/blobs.js';

/** Bytes in memory as the content of a blob, in two pieces. */
export function contentOf(bytes: Uint8Array): BlobContent {
  const half = bytes.length >> 1;
  return {
    bytes: bytes.length,
    read: async function* () {
      yield bytes.subarray(0, half);
      yield bytes.subarray(half);
    },
  };
}
