import { join } from 'node:path';
import { CACHE_ADVICE } from '../../platform/cache-directory.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { sha256 } from '../../proto/digest.js';
import type { Embeddings } from './embeddings.js';
import { type NeighbourOptions, nearestRows } from './neighbours.js';

const DIGEST_BYTES = 32;

export interface CachedNeighbourOptions extends NeighbourOptions {
  /**
   * Keeps the result in this directory and reads it from there the next time. It shows which words
   * were asked for, so name a directory for public corpora alone.
   */
  readonly cacheDir?: string | undefined;
}

/**
 * The rows of the `count` words of the matrix that are closest to each of `queries` [Q, E], closest
 * first: [Q, min(count, W)]. A cached result is found by the content of matrix and queries, and is
 * computed again where it is damaged. Throws `file-unreadable` where it is there and cannot be read.
 */
export async function neighbourRows(
  embeddings: Embeddings,
  queries: Float32Array,
  count: number,
  { cacheDir, ...options }: CachedNeighbourOptions = {},
): Promise<Int32Array> {
  if (cacheDir === undefined) return computeRows(embeddings, queries, count, options);
  const key = sha256(Buffer.from(`${embeddings.identity} ${count} `), bytesOf(queries));
  const path = join(cacheDir, 'neighbours', `${key.toString('hex')}.rows`);
  const cached = await readRows(path);
  if (cached) return cached;
  const rows = await computeRows(embeddings, queries, count, options);
  const parts = [bytesOf(rows), sha256(bytesOf(rows))];
  await writeAtomically(path, parts, { signal: options.signal, advice: CACHE_ADVICE });
  return rows;
}

async function computeRows(
  { matrix, dimension, words }: Embeddings,
  queries: Float32Array,
  count: number,
  options: NeighbourOptions,
): Promise<Int32Array> {
  const all = new Int32Array((queries.length / dimension) * Math.min(count, words.length));
  let filled = 0;
  for await (const { rows } of nearestRows(matrix, queries, dimension, count, options)) {
    all.set(rows, filled);
    filled += rows.length;
  }
  return all;
}

/** Undefined where there is no such file, or its digest differs. */
async function readRows(path: string): Promise<Int32Array | undefined> {
  const bytes = await bytesIfThere(path);
  if (bytes === undefined || bytes.length < DIGEST_BYTES) return undefined;
  const rows = bytes.subarray(0, -DIGEST_BYTES);
  if (!sha256(rows).equals(bytes.subarray(-DIGEST_BYTES))) return undefined;
  return new Int32Array(new Uint8Array(rows).buffer);
}

function bytesOf(values: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
