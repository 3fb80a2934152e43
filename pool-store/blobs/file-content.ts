import { createReadStream } from 'node:fs';
import type { BlobContent } from './blobs.js';

const CHUNK_BYTES = 1 << 18;

/** A file as the content of a blob, which may move it away. */
export function fileContent(file: string, bytes: number): BlobContent {
  return { bytes, file, read: () => createReadStream(file, { highWaterMark: CHUNK_BYTES }) };
}
