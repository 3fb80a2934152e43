import { TacetError } from '../../proto/errors.js';
import { ByteStream, type LongWork } from './byte-stream.js';
import { rowVector } from './embeddings.js';
import { FastTextSubwords, type SubwordMatrix } from './fasttext-subwords.js';
import type { WordMatrix } from './matrix-builder.js';
import { sharedFloats } from './shared-floats.js';

/** The first four bytes of a fastText model, as a little-endian integer. */
export const FASTTEXT_MAGIC = 793712314;

const VERSIONS = [11, 12];
const SUPERVISED = 3;
const LABEL = 1;
const FIXED_BYTES = 8 + 12 * 4 + 8 + 3 * 4 + 2 * 8;
const MAX_WORD_BYTES = 1 << 20;
const MAX_DIMENSION = 1 << 16;

export interface SubwordWordMatrix extends WordMatrix {
  readonly subwords?: SubwordMatrix | undefined;
}

interface Header {
  readonly dimension: number;
  readonly minn: number;
  readonly maxn: number;
  readonly bucket: number;
  readonly entries: number;
  readonly words: number;
  readonly pruned: number;
}

/**
 * Reads a fastText model file (`Args::load`, `Dictionary::load` and `DenseMatrix::load`, versions 11
 * and 12, little-endian). Rows are what `fasttext print-word-vectors` prints: the mean of a word's
 * own vector and those of its n-grams. Throws `embeddings-invalid` with the byte for a malformed, cut-off
 * or quantised file, and for values that are not finite.
 */
export async function readFastTextBinary(
  path: string,
  work: LongWork = {},
): Promise<SubwordWordMatrix> {
  return ByteStream.use(path, 'read fastText model', work, async (stream) => {
    const header = await readHeader(stream);
    const words = await readDictionary(stream, header);
    await expectMatrix(stream, header);
    const { dimension } = header;
    const matrix = await readFloats(stream, header.words * dimension);
    const subwords =
      header.maxn > 0 && header.bucket > 0
        ? { ...header, matrix: await readFloats(stream, header.bucket * dimension) }
        : undefined;
    if (subwords) {
      const composer = new FastTextSubwords(subwords, dimension);
      for (const [row, word] of words.entries())
        composer.compose(word, rowVector(matrix, dimension, row));
    }
    return { ...distinct(words, matrix, dimension), subwords };
  });
}

async function readHeader(stream: ByteStream): Promise<Header> {
  const fields = await take(stream, FIXED_BYTES);
  const int = (index: number): number => fields.readInt32LE(4 * index);
  if (int(0) !== FASTTEXT_MAGIC) throw invalid(stream, 'expected a fastText model');
  if (!VERSIONS.includes(int(1)))
    throw invalid(stream, `expected model version ${VERSIONS.join(' or ')}, found ${int(1)}`);
  const unigrams = int(1) === 11 && int(9) === SUPERVISED;
  const header = {
    dimension: int(2),
    bucket: int(10),
    minn: int(11),
    maxn: unigrams ? 0 : int(12),
    entries: int(16),
    words: int(17),
    pruned: Number(fields.readBigInt64LE(FIXED_BYTES - 8)),
  };
  const { dimension, bucket, minn, maxn, entries, words } = header;
  const sensible =
    dimension > 0 && dimension <= MAX_DIMENSION && bucket >= 0 && minn >= 0 && maxn >= 0;
  if (!sensible || words < 0 || words > entries || int(18) !== entries - words)
    throw invalid(stream, 'the sizes in its head contradict each other; the file is malformed');
  if (header.pruned > 0) throw quantisedError(stream);
  return header;
}

async function readDictionary(stream: ByteStream, header: Header): Promise<string[]> {
  const words: string[] = [];
  for (let entry = 0; entry < header.entries; entry++) {
    const end = await endOfWord(stream);
    const isWord = stream.buffer[end + 9] !== LABEL;
    if (isWord !== entry < header.words)
      throw invalid(stream, 'expected its words before its labels; the file is malformed');
    if (isWord) words.push(stream.buffer.toString('utf8', stream.position, end));
    stream.position = end + 10;
  }
  return words;
}

/** Where the zero byte behind the word at `position` is; its count and type are in the buffer too. */
async function endOfWord(stream: ByteStream): Promise<number> {
  for (let wanted = 256; wanted <= MAX_WORD_BYTES; wanted *= 2) {
    const more = await stream.ensure(wanted);
    const zero = stream.buffer.subarray(stream.position, stream.end).indexOf(0);
    if (zero >= 0 && zero + 10 <= stream.ready) return stream.position + zero;
    if (!more) throw cutOff(stream);
  }
  throw invalid(stream, `expected words of at most ${MAX_WORD_BYTES} bytes; the file is malformed`);
}

async function expectMatrix(stream: ByteStream, header: Header): Promise<void> {
  const fields = await take(stream, 17);
  if (fields[0] !== 0) throw quantisedError(stream);
  const rows = Number(fields.readBigInt64LE(1));
  const columns = Number(fields.readBigInt64LE(9));
  if (rows !== header.words + header.bucket || columns !== header.dimension)
    throw invalid(
      stream,
      `expected ${header.words + header.bucket} x ${header.dimension} input vectors, found ${rows} x ${columns}; the file is malformed`,
    );
  if (stream.size - stream.offset < rows * columns * Float32Array.BYTES_PER_ELEMENT)
    throw cutOff(stream);
}

async function readFloats(stream: ByteStream, count: number): Promise<Float32Array> {
  const start = stream.offset;
  const values = sharedFloats(count);
  if (!(await stream.fill(new Uint8Array(values.buffer)))) throw cutOff(stream);
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    const byte = start + i * values.BYTES_PER_ELEMENT;
    const problem = `expected finite numbers, found ${values[i]}; the file is malformed`;
    throw invalid(stream, problem, byte);
  }
  return values;
}

async function take(stream: ByteStream, count: number): Promise<Buffer> {
  if (!(await stream.ensure(count))) throw cutOff(stream);
  const bytes = stream.buffer.subarray(stream.position, stream.position + count);
  stream.position += count;
  return bytes;
}

/** Words that are not UTF-8 may read the same; the first of them stays. */
function distinct(words: readonly string[], matrix: Float32Array, dimension: number): WordMatrix {
  const rows = new Map<string, number>();
  for (const [row, word] of words.entries()) {
    if (rows.has(word)) continue;
    matrix.copyWithin(rows.size * dimension, row * dimension, (row + 1) * dimension);
    rows.set(word, row);
  }
  return { words: [...rows.keys()], matrix: matrix.subarray(0, rows.size * dimension), dimension };
}

function quantisedError(stream: ByteStream): TacetError {
  return invalid(
    stream,
    'quantised fastText models cannot be read; give the full model, trained without `fasttext quantize`',
  );
}

function cutOff(stream: ByteStream): TacetError {
  return invalid(stream, 'the file is cut off; fetch it again');
}

function invalid(stream: ByteStream, problem: string, byte = stream.offset): TacetError {
  return new TacetError('embeddings-invalid', `${stream.path}: byte ${byte}: ${problem}`);
}
