import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultCacheDirectory } from '../../platform/cache-directory.js';
import { TacetError } from '../../proto/errors.js';
import { ByteStream, type LongWork, unreadable } from './byte-stream.js';
import { createEmbeddings, type Embeddings } from './embeddings.js';
import { FASTTEXT_MAGIC, readFastTextBinary, type SubwordWordMatrix } from './fasttext-binary.js';
import { FastTextSubwords } from './fasttext-subwords.js';
import { readMatrixFile, writeMatrixFile } from './matrix-file.js';
import { fingerprint, sourceDigest } from './source-digest.js';
import { readTextVectors } from './text-vectors.js';
import { readWinkVectors, winkPath } from './wink-vectors.js';

const FOLDER = 'embeddings';
const START_BYTES = 4;
/** The start of a JSON object, and not of a GloVe line whose word is a brace. */
const JSON_OBJECT = /^\{[^ ]/;

export interface OpenOptions extends LongWork {
  /** By default the environment's TACET_CACHE, else `~/.cache/tacet`. */
  readonly cacheDir?: string | undefined;
}

/**
 * Embeddings of a fastText or word2vec `.vec`, GloVe `.txt` or fastText `.bin` file, told apart by
 * their content, or of the npm package of English GloVe vectors where `source` is `wink`. The first
 * time a source is converted into the cache, by its SHA-256; afterwards it is loaded from there.
 * Throws `file-not-found`, `file-unreadable`, `file-unwritable` or `embeddings-invalid`.
 */
export async function openEmbeddings(
  source: string,
  { cacheDir = defaultCacheDirectory(), ...work }: OpenOptions = {},
): Promise<Embeddings> {
  const path = source === 'wink' ? winkPath() : await resolve(source);
  const before = await fingerprint(path);
  const identity = await sourceDigest(path, join(cacheDir, FOLDER, 'sources'), work);
  const file = convertedPath(identity, cacheDir);

  const cached = await readMatrixFile(file, identity, { signal: work.signal });
  if (cached) return embeddingsOf(identity, cached);
  const read = await readSource(path, work);
  if ((await fingerprint(path)) !== before)
    throw new TacetError('embeddings-invalid', `${path} changed while it was read; try again`);
  await writeMatrixFile(file, identity, read, work.signal);
  return embeddingsOf(identity, read);
}

/** Where the converted form of the source with this SHA-256 is kept. */
export function convertedPath(identity: string, cacheDir = defaultCacheDirectory()): string {
  return join(cacheDir, FOLDER, `${identity}.matrix`);
}

async function resolve(source: string): Promise<string> {
  try {
    return await realpath(source);
  } catch (error) {
    throw unreadable(source, error);
  }
}

async function readSource(path: string, work: LongWork): Promise<SubwordWordMatrix> {
  const start = await ByteStream.use(path, 'read word vectors', {}, async (stream) => {
    await stream.ensure(START_BYTES);
    return Buffer.from(stream.buffer.subarray(0, Math.min(stream.end, START_BYTES)));
  });
  if (start.length === START_BYTES && start.readInt32LE(0) === FASTTEXT_MAGIC)
    return readFastTextBinary(path, work);
  const json = JSON_OBJECT.test(start.toString('latin1'));
  return json ? readWinkVectors(path, work) : readTextVectors(path, work);
}

function embeddingsOf(identity: string, read: SubwordWordMatrix): Embeddings {
  const { words, matrix, dimension, subwords } = read;
  return createEmbeddings({
    identity,
    words,
    matrix,
    dimension,
    subwords: subwords && new FastTextSubwords(subwords, dimension),
  });
}
