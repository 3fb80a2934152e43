import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { blobsAt } from '../pool-store/blobs/blob-place.js';
import type { CatalogPlace } from '../pool-store/catalog/open-catalog.js';
import { recover } from '../pool-store/recovery.js';
import { CATALOG_FILE, Store } from '../pool-store/store.js';
import { rawPublicKey } from '../proto/ed25519-key.js';
import { startServers } from '../services/cli/servers.js';
import { DEFAULT_LIMITS } from '../services/http/limits.js';
import { COMPARED_SEGMENTS } from '../services/pool/samples.js';
import { BenchSchema } from './bench-schema.js';
import { fillPool, SENTENCES } from './filled-pool.js';
import type { Measurement } from './measurement.js';
import { nameInBucket, nameOnDisk } from './named-blobs.js';
import { type BenchSegment, contribute, segments, upload } from './pool-traffic.js';
import { SEGMENT_SHAPE } from './segment-shape.js';

/** `TACET_BENCH_CONTRIBUTIONS=1000000` for the full size: a hundred million sentences. */
const SIZES = (process.env.TACET_BENCH_CONTRIBUTIONS ?? '10000,100000').split(',').map(Number);
/** A server of PostgreSQL, beside which the same is measured. */
const SERVER = process.env.TACET_TEST_CATALOG;
/** A bucket, in which PostgreSQL's catalog has its blobs for one more recovery. */
const BUCKET = process.env.TACET_TEST_BLOBS;
const INSTITUTIONS = 20;
const PAGE = 50;
const TIMES = 5;
const SEGMENT_BYTES = 256 * 1024;

/**
 * What an operator and a client wait for as a catalog grows, on SQLite and, where a server is named, on PostgreSQL. The
 * catalog is written as so many contributions leave it; of the blobs there are names alone.
 */
export async function* catalogBench(): AsyncGenerator<Measurement> {
  for (const size of SIZES) {
    yield* measuredOn('SQLite', size, undefined);
    if (SERVER !== undefined) yield* measuredOn('PostgreSQL', size, SERVER);
  }
}

async function* measuredOn(
  database: string,
  size: number,
  server: string | undefined,
): AsyncGenerator<Measurement> {
  const data = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  const schema = server === undefined ? undefined : await BenchSchema.on(server);
  const catalog = schema?.place;
  const row = (name: string, milliseconds: number): Measurement => ({
    ...{ bench: 'catalog', name: `${database}, ${size} contributions: ${name}`, threads: 1 },
    ...{ milliseconds, spread: 0, rate: size / (milliseconds / 1000), unit: 'contributions/s' },
  });
  const bytes = (name: string, rate: number): Measurement => ({ ...row(name, 0), rate, unit: 'B' });
  const median = (name: string, taken: readonly number[]) =>
    row(name, [...taken].sort((a, b) => a - b)[Math.floor(taken.length / 2)] as number);
  const timed = async (name: string, work: () => Promise<unknown>, times = TIMES) => {
    const taken: number[] = [];
    for (let i = 0; i < times; i++) {
      const start = performance.now();
      await work();
      taken.push(performance.now() - start);
    }
    return median(name, taken);
  };
  const open = () => Store.open(data, { catalog });
  try {
    let store = await open();
    yield await timed(
      `made, with ${(size * SENTENCES) / 1e6} million sentences`,
      () => fillPool(store, { contributions: size, institutions: INSTITUTIONS, snapshots: 0 }),
      1,
    );
    yield bytes('size of the catalog', schema ? await schema.bytes() : bytesOn(data));
    await nameOnDisk(data, store);
    await store.close();
    yield await timed('opened and closed', async () => {
      const opened = await open();
      await opened.close();
    });
    store = await open();
    yield await timed('recovery at the start', () => recover(store), 1);
    if (catalog && BUCKET !== undefined) {
      let place = '';
      const name = async () => {
        place = await nameInBucket(BUCKET, store);
      };
      yield await timed('objects of no bytes put into the bucket', name, 1);
      const blobs = blobsAt(place, data);
      const listed = await Store.open(join(data, 'of-bucket'), { catalog, blobs });
      yield await timed('recovery at the start, of a bucket', () => recover(listed), 1);
      await listed.close();
    }
    const { contributionIndex, contributions, snapshots } = store;
    const kept = { state: 'kept' as const };
    yield await timed('first page of contributions', () =>
      contributionIndex.page(kept, { offset: 0, limit: PAGE }),
    );
    yield await timed('page of contributions nine tenths deep', () =>
      contributionIndex.page(kept, { offset: Math.floor(0.9 * size), limit: PAGE }),
    );
    yield await timed('what the check for replays asks', () =>
      contributions.newestSegments(
        SEGMENT_SHAPE.modelDigest,
        SEGMENT_SHAPE.dimension,
        COMPARED_SEGMENTS,
      ),
    );
    let snapshot = '';
    let waited = 0;
    yield await timed(
      'a snapshot of everything made',
      async () => {
        const making = snapshots.create();
        waited = await longestWait(store, making);
        snapshot = (await making).id;
      },
      1,
    );
    yield { ...row('the longest that a writer waited meanwhile', waited), rate: 0 };
    yield await timed('that snapshot found', () => snapshots.get(snapshot));
    yield bytes('resident after that', process.memoryUsage.rss());
    yield await timed('the whole log verified', () => store.log.firstBroken(), 1);
    await store.close();
    yield* servedOn(data, catalog, { median, timed });
  } finally {
    rmSync(data, { recursive: true, force: true });
    await schema?.drop();
  }
}

interface Rows {
  median(name: string, taken: readonly number[]): Measurement;
  timed(name: string, work: () => Promise<unknown>, times?: number): Promise<Measurement>;
}

/** Through HTTP on loopback. */
async function* servedOn(
  data: string,
  catalog: CatalogPlace | undefined,
  { median, timed }: Rows,
): AsyncGenerator<Measurement> {
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519');
  const store = await Store.open(data, { catalog });
  const tokens = {
    institution: (await store.tokens.create({ role: 'institution', name: 'bench' })).token,
    consumer: (await store.tokens.create({ role: 'consumer', name: 'bench' })).token,
  };
  const { keyId } = await store.identities.request('bench', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  await store.close();
  let servers: Awaited<ReturnType<typeof startServers>> | undefined;
  yield await timed(
    'a server started, until it answers',
    async () => {
      servers = await startServers({
        ...{ data, host: '127.0.0.1', poolPort: 0, logger: pino({ level: 'silent' }), catalog },
        limits: { ...DEFAULT_LIMITS, requestsPerMinute: 1e6 },
      });
    },
    1,
  );
  try {
    const server = { url: servers?.addresses.pool ?? '', tokens, key };
    const pages = await listedBy(server);
    yield median('a thousand contributions by HTTP, the first', pages.slice(0, 1));
    yield median('... nine tenths on', pages.slice(Math.floor(0.9 * pages.length)));
    yield median('... the slowest of all', [Math.max(...pages)]);
    const supply = segments(SEGMENT_BYTES);
    const authorised = { Authorization: `Bearer ${tokens.institution}` };
    const given: BenchSegment[] = [];
    yield await timed('a segment of 256 KiB uploaded', async () => {
      const segment = supply.next().value as BenchSegment;
      await upload(server, segment);
      given.push(segment);
    });
    const accepted: string[] = [];
    yield await timed('a contribution accepted', async () => {
      const segment = given.pop() as BenchSegment;
      accepted.push(await contribute(server, [segment]));
    });
    yield await timed('a contribution withdrawn', async () => {
      const url = `${server.url}/v1/contributions/${accepted.pop()}`;
      const answer = await fetch(url, { method: 'DELETE', headers: authorised });
      if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    });
  } finally {
    await servers?.close();
  }
}

/** Every page of `GET /v1/contributions` in turn, as the first answer and each after it say where the next is. */
async function listedBy({
  url,
  tokens,
}: {
  readonly url: string;
  readonly tokens: { readonly consumer: string };
}): Promise<number[]> {
  const headers = { Authorization: `Bearer ${tokens.consumer}` };
  const taken: number[] = [];
  for (let next: string | undefined = '?'; next !== undefined; ) {
    const start = performance.now();
    const answer: Response = await fetch(`${url}/v1/contributions${next}`, { headers });
    if (!answer.ok) throw new Error(`a page of contributions is answered ${answer.status}`);
    await answer.arrayBuffer();
    taken.push(performance.now() - start);
    next = /<(.*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return taken;
}

/** In milliseconds: of what writes to the log, one after the other, until `work` is done. */
async function longestWait({ catalog, log }: Store, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  let longest = 0;
  while (!isDone) {
    const start = performance.now();
    await catalog.write((transaction) => log.head(transaction));
    longest = Math.max(longest, performance.now() - start);
    await delay(20);
  }
  return longest;
}

function bytesOn(data: string): number {
  return readdirSync(data)
    .filter((name) => name.startsWith(CATALOG_FILE))
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
}
