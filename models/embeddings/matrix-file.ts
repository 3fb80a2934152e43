import { CACHE_ADVICE } from '../../platform/cache-directory.js';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { sha256Hex } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { ByteStream, type LongWork } from './byte-stream.js';
import type { SubwordWordMatrix } from './fasttext-binary.js';
import type { SubwordParameters } from './fasttext-subwords.js';
import { sharedFloats } from './shared-floats.js';

/**
 * The converted form of every source, little-endian: MAGIC, the length of the header (4 bytes), the
 * header (JSON), the words (UTF-8, a line feed between two), the matrix [W, E], and for fastText
 * models the n-gram matrix [bucket, E], both as 32-bit floats.
 */
const MAGIC = Buffer.from('TACETEM1');
const PREAMBLE_BYTES = MAGIC.length + 4;
const MAX_HEADER_BYTES = 1 << 16;
const SEPARATOR = '\n';

interface Header {
  /** SHA-256 of the source. */
  readonly identity: string;
  readonly words: number;
  readonly dimension: number;
  readonly wordBytes: number;
  readonly wordDigest: string;
  readonly subwords?: SubwordParameters;
}

export async function writeMatrixFile(
  path: string,
  identity: string,
  { words, matrix, dimension, subwords }: SubwordWordMatrix,
  signal?: AbortSignal,
): Promise<void> {
  if (words.some((word) => word.includes(SEPARATOR)))
    throw new TacetError(
      'embeddings-invalid',
      'a word holds a line feed; remove it from the source',
    );
  const text = Buffer.from(words.join(SEPARATOR));
  const header: Header = {
    identity,
    words: words.length,
    dimension,
    wordBytes: text.length,
    wordDigest: sha256Hex(text),
    ...(subwords && {
      subwords: { minn: subwords.minn, maxn: subwords.maxn, bucket: subwords.bucket },
    }),
  };
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const parts = [MAGIC, length, head, text, bytesOf(matrix)];
  if (subwords) parts.push(bytesOf(subwords.matrix));
  await writeAtomically(path, parts, { signal, advice: CACHE_ADVICE });
}

/** Undefined where the file is not there, is cut off, foreign, or of another source. */
export async function readMatrixFile(
  path: string,
  identity: string,
  work: LongWork,
): Promise<SubwordWordMatrix | undefined> {
  try {
    return await ByteStream.use(path, 'load the embeddings', work, (stream) =>
      readParts(stream, identity),
    );
  } catch (error) {
    if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
    throw error;
  }
}

async function readParts(
  stream: ByteStream,
  identity: string,
): Promise<SubwordWordMatrix | undefined> {
  const header = await readHeader(stream);
  if (header?.identity !== identity) return undefined;
  const { dimension, subwords } = header;
  const values = (header.words + (subwords?.bucket ?? 0)) * dimension;
  const expected = header.wordBytes + values * Float32Array.BYTES_PER_ELEMENT;
  if (stream.size - stream.offset !== expected) return undefined;

  const text = Buffer.allocUnsafe(header.wordBytes);
  if (!(await stream.fill(text)) || sha256Hex(text) !== header.wordDigest) return undefined;
  const words = text.toString('utf8').split(SEPARATOR);
  const matrix = await readFloats(stream, header.words * dimension);
  const ngrams = subwords && (await readFloats(stream, subwords.bucket * dimension));
  if (words.length !== header.words || !matrix) return undefined;
  if (!subwords) return { words, matrix, dimension };
  return ngrams && { words, matrix, dimension, subwords: { ...subwords, matrix: ngrams } };
}

async function readHeader(stream: ByteStream): Promise<Header | undefined> {
  if (!(await stream.ensure(PREAMBLE_BYTES))) return undefined;
  const { buffer, position } = stream;
  const magic = buffer.subarray(position, position + MAGIC.length);
  const length = buffer.readUInt32LE(position + MAGIC.length);
  if (!magic.equals(MAGIC) || length > MAX_HEADER_BYTES) return undefined;
  stream.position += PREAMBLE_BYTES;
  if (!(await stream.ensure(length))) return undefined;
  const text = stream.buffer.toString('utf8', stream.position, stream.position + length);
  stream.position += length;
  try {
    return JSON.parse(text) as Header;
  } catch {
    return undefined;
  }
}

async function readFloats(stream: ByteStream, count: number): Promise<Float32Array | undefined> {
  const values = sharedFloats(count);
  return (await stream.fill(bytesOf(values))) ? values : undefined;
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
