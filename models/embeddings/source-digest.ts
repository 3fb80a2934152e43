import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_ADVICE } from '../../platform/cache-directory.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { sha256Hex } from '../../proto/digest.js';
import { ByteStream, type LongWork, unreadable } from './byte-stream.js';

/** What tells a changed file without reading it. Throws `file-not-found` or `file-unreadable`. */
export async function fingerprint(path: string): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return sha256Hex(`${path}\n${size}\n${mtimeNs}\n${ctimeNs}`);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * SHA-256 of a file's content, in hexadecimal. It is remembered in `directory` under the file's
 * path, size and times, because hashing a big file takes longer than loading it converted. Throws `file-unreadable`
 * where what is remembered is there and cannot be read.
 */
export async function sourceDigest(
  path: string,
  directory: string,
  work: LongWork,
): Promise<string> {
  const note = join(directory, await fingerprint(path));
  const known = (await textIfThere(note)) ?? '';
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const digest = await hashFile(path, work);
  await writeAtomically(note, digest, { signal: work.signal, advice: CACHE_ADVICE });
  return digest;
}

async function hashFile(path: string, work: LongWork): Promise<string> {
  return ByteStream.use(path, 'hash the embeddings', work, async (stream) => {
    const hash = createHash('sha256');
    while (await stream.ensure(1)) {
      hash.update(stream.buffer.subarray(stream.position, stream.end));
      stream.position = stream.end;
    }
    return hash.digest('hex');
  });
}
