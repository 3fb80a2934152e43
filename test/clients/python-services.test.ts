import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { pino } from 'pino';
import { Random } from '../../models/tensor/random.js';
import type { Snapshot } from '../../pool-store/snapshots/snapshot.js';
import type { MessageWindow } from '../../pool-store/snapshots/snapshot-reader.js';
import { decodeElements, type ElementType } from '../../proto/element.js';
import { encodeSentence } from '../../proto/encoded-sentence.js';
import { TacetError } from '../../proto/errors.js';
import { readSegment, writeSegmentStream } from '../../proto/segment.js';
import { messagesOf } from '../../proto/sentence-message.js';
import { ServiceClient } from '../../services/client/client.js';
import { createEncoderApp } from '../../services/encoder/encoder-app.js';
import { encoderRoutes } from '../../services/encoder/encoder-routes.js';
import { EncoderService } from '../../services/encoder/encoder-service.js';
import { explainByPlace } from '../../services/http/explained-error.js';
import { DEFAULT_LIMITS } from '../../services/http/limits.js';
import { listen } from '../../services/http/server.js';
import { Ledger } from '../../services/institution/release/ledger/ledger.js';
import { SENTENCE_FORMATS } from '../../services/pool/sentence-formats.js';
import { sentenceOf, shape } from '../proto/encoded-sentences.js';
import { segmentOfFirstFormat } from '../proto/first-format.js';
import { WORDS } from '../services/institution/notes.js';
import { createPublisher, removePublisher, threadOf } from '../services/institution/publisher.js';
import { contributionOf, createWorld, segmentOf, serve, sha256 } from '../services/world.js';
import { runUnittest, testWithPython } from './run-python.js';

describe('the Python client', () => {
  let root: string;
  const closing: (() => unknown)[] = [];
  const write = (name: string, content: Uint8Array | string) =>
    writeFileSync(join(root, name), content);

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'tacet-python-services-'));
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(root, { recursive: true });
  });

  testWithPython('reads the segments that TypeScript reads, and refuses the others', async () => {
    const segments: Record<string, ReturnType<typeof reading>> = {};
    const keep = (name: string, bytes: Uint8Array) => {
      segments[name] = reading(bytes);
      write(name, bytes);
    };
    for (const elementType of ['float16', 'float32'] as const) {
      const bytes = segmentOf(9, 3, { elementType, entities: 'replaced' });
      keep(`${elementType}.segment`, bytes);
      write(`${elementType}.arrows`, await arrowOf(bytes, elementType));
    }
    const plain = segmentOf(3, 4);
    keep('plain.segment', plain);
    keep('empty.segment', segmentOf(0, 4));
    const kept = { entities: 'replaced', keptTypes: ['ORG', 'QUANTITY'] } as const;
    keep('kept-types.segment', segmentOf(4, 6, kept));
    keep('first-format.segment', segmentOfFirstFormat(shape, [sentenceOf(6, 1), sentenceOf(2, 5)]));
    write('large.segment', segmentOf(40_000, 5));
    const random = new Random(6);
    for (let i = 0; i < 300; i++) {
      const bytes = Uint8Array.from(plain);
      const at = random.integer(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 + random.integer(255));
      keep(`flipped-${i}.segment`, bytes);
    }
    for (const [i, bytes] of withTrueChecksums(plain, random).entries())
      keep(`mended-${i}.segment`, bytes);
    write('segments.json', JSON.stringify(segments));
    await runUnittest('test_segment', root);
  });

  testWithPython('reads a snapshot of a pool, through broken connections too', async () => {
    const world = await createWorld();
    const servers = await serve(world);
    closing.push(async () => {
      await servers.close();
      world.remove();
    });
    const url = servers.addresses.pool ?? '';
    const as = (role: 'institution' | 'consumer') =>
      new ServiceClient({ baseUrl: url, token: world.tokens[role] });
    const segments = [segmentOf(700, 1), segmentOf(500, 2)];
    for (const segment of segments)
      await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf(segments, world.keys.institution);
    await as('institution').json('POST', '/v1/contributions', envelope);
    const { id } = await as('consumer').json<Snapshot>('POST', '/v1/snapshots', {});
    const { header, sentences } = await as('consumer').sentences(id, { seed: 7 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of writeSegmentStream(header, sentences())) chunks.push(chunk);
    write('snapshot.segment', Buffer.concat(chunks));
    const site = {
      ...{ url, snapshot: id, token: world.tokens.consumer },
      breaking: await breaking(url),
      lying: await answering((_, response) => {
        response.end(JSON.stringify({ id, segments: ['0'.repeat(64)] }));
      }),
      redirecting: await answering((_, response) => {
        response.writeHead(307, { Location: `${url}/v1/snapshots` }).end();
      }),
    };
    write('pool.json', JSON.stringify(site));
    await runUnittest('test_pool', root);
  });

  testWithPython('encodes and de-identifies through an encoder', async () => {
    const token = 'a-token-of-more-than-sixteen';
    const publisher = await createPublisher(WORDS);
    closing.push(() => removePublisher(publisher));
    const models = await threadOf(publisher);
    closing.push(() => models.close());
    const logger = pino({ level: 'silent' });
    const explain = explainByPlace(logger);
    const home = join(root, 'home');
    (await Ledger.openOrMake(home)).close();
    const service = await EncoderService.open({
      ...{ home, models, approval: {}, threshold: 0.6, explain, input: join(root, 'input') },
      // A job of it is of one note.
      limits: { labelDocuments: 1 },
    });
    closing.push(() => service.close());
    const requireReady = () => service.requireReady();
    const routes = encoderRoutes(service);
    const app = createEncoderApp({ routes, token, requireReady, logger, explain });
    const server = await listen(app, { host: '127.0.0.1', port: 0, limits: DEFAULT_LIMITS });
    closing.push(() => server.close());
    mkdirSync(join(root, 'input'));
    write('input/notes.jsonl', JSON.stringify({ text: 'delta '.repeat(32), spans: [] }));
    write('encoder.json', JSON.stringify({ url: server.url, token }));
    await runUnittest('test_encoder', root);
  });

  /** A server of this one handler. */
  async function answering(handle: RequestListener): Promise<string> {
    const server = createServer(handle);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Passes requests on, and breaks every answer that is long off after its first bytes. */
  function breaking(genuine: string): Promise<string> {
    return answering(async (request, response) => {
      const { authorization, range } = request.headers;
      const answer = await fetch(genuine + request.url, {
        headers: {
          ...(authorization && { Authorization: authorization }),
          ...(range && { Range: range, 'If-Range': String(request.headers['if-range']) }),
        },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { ETag: answer.headers.get('etag') ?? '' });
      if (bytes.length < 10_000) response.end(bytes);
      else response.write(bytes.subarray(0, 9_000), () => response.destroy());
    });
  }
});

/** What TypeScript finds in a segment; null where it refuses it. */
function reading(bytes: Uint8Array) {
  try {
    const { header, sentences } = readSegment(bytes);
    const found = Array.from(sentences(), ({ vectors, labels }) => ({
      vectors: [...decodeElements(vectors, header.elementType)],
      labels: [...labels],
    }));
    return { header, sentences: found };
  } catch (error) {
    if (error instanceof TacetError) return null;
    throw error;
  }
}

/** Segments with a byte of their header, first block or footer changed, and the checksum that fits. */
function withTrueChecksums(segment: Uint8Array, random: Random): Uint8Array[] {
  const frames = framesOf(segment);
  return Array.from({ length: 300 }, (_, i) => {
    const bytes = Buffer.from(segment);
    const [start, stop] = frames[i % frames.length] as [number, number];
    const at = start + random.integer(stop - start);
    bytes[at] =
      i % 2 === 0 ? random.integer(256) : (bytes[at] as number) ^ (1 << random.integer(8));
    bytes.writeUInt32LE(crc32(bytes.subarray(start, stop)), stop);
    return bytes;
  });
}

/** Where the payload of each frame begins and ends. */
function framesOf(segment: Uint8Array): [number, number][] {
  const view = Buffer.from(segment);
  const frames: [number, number][] = [];
  for (let at = 8; at < view.length - 12; ) {
    const length = view.readUInt32LE(at);
    if (length > 0) frames.push([at + 4, at + 4 + length]);
    at += length === 0 ? 4 : length + 8;
  }
  return frames;
}

async function arrowOf(segment: Uint8Array, elementType: ElementType): Promise<Uint8Array> {
  const { header, sentences } = readSegment(segment);
  const all = [...sentences()].map(encodeSentence);
  const bytes = Buffer.concat(all);
  async function* windows(): AsyncGenerator<MessageWindow> {
    yield { bytes, messages: [...messagesOf(bytes, { ...header, elementType })] };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of SENTENCE_FORMATS.arrow.write(header, windows()))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
