import { type KeyObject, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Random } from '../models/tensor/random.js';
import { signContribution } from '../proto/contribution.js';
import { sha256Hex } from '../proto/digest.js';
import { ELEMENT_BYTES, encodeElements } from '../proto/element.js';
import { type EncodedSentence, encodeSentence } from '../proto/encoded-sentence.js';
import { PATHS, pathTo } from '../proto/paths.js';
import { SegmentPacker } from '../proto/segment-packer.js';
import type { PoolAccess } from './pool-server.js';
import { SEGMENT_SHAPE } from './segment-shape.js';

/** Of the length of clinical sentences. */
const TOKENS = 20;
const SENTENCES = 4096;
/** After the lengths of the message and of its first field, two bytes each, and the field's tag. */
const VECTORS_START = 5;
/** The share of tokens with a label other than the first: few enough for notes, and most sentences have labels of their own. */
const LABELLED = 0.15;
/** Bytes of the vectors of a sentence. */
const VECTORS = TOKENS * SEGMENT_SHAPE.dimension * ELEMENT_BYTES[SEGMENT_SHAPE.elementType];
/** Patterns of a float16 below 1. */
const SMALL = 15_000;
const SIGN_AND_FRACTION = 0x83ff;
/** 0.5 as float16. */
const HALF = 0x3800;

export interface BenchSegment {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: string;
  readonly sentences: number;
}

export interface SegmentOptions {
  /**
   * Whether all numbers are drawn anew for each, as a pool that judges contributions to `benchModel` asks for; otherwise
   * the sentences of one differ from those of another in two.
   */
  readonly areReleases?: boolean;
}

/** Distinct segments of about `bytes` bytes, made faster than they are taken. */
export function* segments(
  bytes: number,
  { areReleases = false }: SegmentOptions = {},
): Generator<BenchSegment> {
  const messages = Array.from({ length: SENTENCES }, (_, i) => encodeSentence(sentence(i)));
  const count = Math.floor(bytes / messages[0].length);
  const random = new Random(1);
  for (let number = 0; ; number++) {
    const packer = new SegmentPacker(SEGMENT_SHAPE);
    const parts = [packer.head(count)];
    const numbers = areReleases ? drawNumbers(count * VECTORS) : new Uint8Array();
    for (let i = 0; i < count; i++) {
      const message = messages[i % SENTENCES];
      if (areReleases) message.set(numbers.subarray(i * VECTORS, (i + 1) * VECTORS), VECTORS_START);
      else stamp(message, number * count + i);
      drawLabels(message.subarray(-TOKENS), random);
      const block = packer.addMessage(message, 0, message.length, TOKENS);
      if (block) parts.push(block);
    }
    const whole = Buffer.concat([...parts, packer.tail()]);
    const digest = sha256Hex(whole);
    yield { bytes: whole, digest, sentences: count };
  }
}

/** One upload by tus in one request of bytes. */
export async function upload(server: PoolAccess, { bytes, digest }: BenchSegment): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const headers = {
    Authorization: `Bearer ${server.tokens.institution}`,
    'Tus-Resumable': '1.0.0',
  };
  const begun = await requireOk(
    await fetch(`${server.url}${PATHS.uploads}`, {
      method: 'POST',
      headers: {
        ...headers,
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': `digest ${base64(digest)},kind ${base64('segment')}`,
      },
    }),
  );
  const sent = await fetch(new URL(begun.headers.get('location') ?? '', server.url), {
    method: 'PATCH',
    headers: {
      ...headers,
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  await (await requireOk(sent)).arrayBuffer();
}

/** Contributes uploaded segments; returns the contribution's id. */
export async function contribute(
  server: PoolAccess,
  given: readonly Omit<BenchSegment, 'bytes'>[],
): Promise<string> {
  const sentences = given.reduce((sum, segment) => sum + segment.sentences, 0);
  const envelope = signContribution(
    {
      model: SEGMENT_SHAPE.modelDigest,
      segments: given.map(({ digest }) => digest),
      counts: { sentences, tokens: sentences * TOKENS },
      labelScheme: SEGMENT_SHAPE.labelSchemeDigest,
      limit: null,
      terms: 'bench',
      institution: 'bench',
      time: '2030-01-01T00:00:00Z',
    },
    server.key as KeyObject,
  );
  const { contributions } = PATHS;
  return (await post<{ id: string }>(server, contributions, server.tokens.institution, envelope))
    .id;
}

/** Freezes everything; returns the snapshot's id. */
export async function freeze(server: PoolAccess): Promise<string> {
  const { consumer } = server.tokens;
  const { id } = await post<{ id: string }>(server, PATHS.snapshots, consumer, {});
  return id;
}

/** Reads a snapshot to its end, or `most` bytes of it, and returns how many bytes came. */
export async function read(
  server: PoolAccess,
  snapshot: string,
  {
    format,
    seed,
    most = Number.POSITIVE_INFINITY,
  }: { format: string; seed: number; most?: number },
): Promise<number> {
  const path = `${pathTo(PATHS.snapshotSentences, { id: snapshot })}?format=${format}&seed=${seed}`;
  const headers = { Authorization: `Bearer ${server.tokens.consumer}` };
  // The streams of `fetch` would take a client more processor time than the server takes.
  const request = get(server.url + path, { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= most) request.destroy();
    });
    answer.once('error', (error) => (bytes >= most ? resolve(bytes) : reject(error)));
    answer.once('end', () => resolve(bytes));
  });
}

async function post<T>(server: PoolAccess, path: string, token: string, body: unknown): Promise<T> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await requireOk(response)).json() as T;
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}

/** Makes the vectors of a message differ from all others: as two small float16, its number. */
function stamp(message: Uint8Array, number: number): void {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  view.setUint16(VECTORS_START, number % SMALL, true);
  view.setUint16(VECTORS_START + 2, Math.floor(number / SMALL), true);
}

/** So many bytes of float16, each number even between 0.5 and 1, or between -1 and -0.5. */
function drawNumbers(bytes: number): Uint8Array {
  const numbers = randomFillSync(new Uint16Array(bytes / 2));
  for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] & SIGN_AND_FRACTION) | HALF;
  return new Uint8Array(numbers.buffer);
}

function drawLabels(labels: Uint8Array, random: Random): void {
  for (let t = 0; t < labels.length; t++)
    labels[t] = random.uniform() < LABELLED ? 1 + random.integer(SEGMENT_SHAPE.labelCount - 1) : 0;
}

function sentence(number: number): EncodedSentence {
  const values = Float32Array.from({ length: TOKENS * SEGMENT_SHAPE.dimension }, (_, i) =>
    Math.sin(number * 7919 + i),
  );
  return {
    vectors: encodeElements(values, SEGMENT_SHAPE.elementType),
    labels: new Uint8Array(TOKENS),
  };
}
