import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Manifest } from '../../models/bundle/manifest.js';
import { Random } from '../../models/tensor/random.js';
import { blobsAt, placeOf } from '../../pool-store/blob-place.js';
import { S3Bucket } from '../../pool-store/s3/bucket.js';
import { bucketPlace } from '../../pool-store/s3/bucket-place.js';
import { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';
import { writeSegment } from '../../proto/segment.js';
import { ReplayCheck } from '../../services/pool/replay-check.js';
import { changeRows } from '../pool-store/changed-rows.js';
import { catalogFor, openStore } from '../pool-store/opened-store.js';
import { Giver } from '../pool-store/pooled-store.js';
import { disguised, OUTPUT_NOISE, RELEASE_SHAPE, releases } from '../services/pool/releases.js';
import { type ServeProcess, spawnServe } from '../services/serve-process.js';
import { contributionOf, createWorld, segmentOf, sha256, type World } from '../services/world.js';

/** `make test-scale` starts a database and a bucket, which several servers need. */
const isThere =
  process.env.TACET_TEST_CATALOG !== undefined && process.env.TACET_TEST_BLOBS !== undefined;
if (!isThere) process.stderr.write('skipped: replicas need PostgreSQL and an object storage\n');
const withReplicas = isThere ? describe : describe.skip;

const ROUNDS = Number(process.env.TACET_FAULT_ROUNDS ?? 6);
const REPLICAS = 3;
const CLIENTS = 6;
const RETRY_MS = 100;
const PATIENCE_MS = 60_000;

let world: World;
let store: Store;
let folder: string;
let logKey: string;
const replicas: ServeProcess[] = [];
const random = new Random(1);

beforeAll(async () => {
  if (!isThere) return;
  world = await createWorld();
  store = await openStore(world.data);
  folder = mkdtempSync(join(tmpdir(), 'tacet-replicas-'));
  logKey = join(folder, 'log.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(logKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  for (let i = 0; i < REPLICAS; i++) replicas.push(await start(i));
}, 120_000);
afterAll(async () => {
  if (!isThere) return;
  for (const replica of replicas) await replica.kill();
  await store.close();
  world.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** On a directory of its own, beside the others at one catalog and one bucket. */
function start(i: number, port = 0): Promise<ServeProcess> {
  const environment = {
    TACET_SERVE_BLOBS: placeOf(world.data),
    TACET_SERVE_LOG_KEY: logKey,
    TACET_SERVE_OPEN_UPLOADS: '1000',
    TACET_SERVE_REQUESTS_PER_MINUTE: '100000',
  };
  return spawnServe(join(folder, `replica-${i}`), port, environment, world.data);
}

const addressOf = (i: number) => replicas[i]?.addresses.pool ?? '';
const bearer = () => ({ Authorization: `Bearer ${world.tokens.institution}` });
const tusHeaders = () => ({ ...bearer(), 'Tus-Resumable': '1.0.0' });
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function begin(i: number, segment: Uint8Array): Promise<string> {
  const response = await fetch(`${addressOf(i)}/v1/uploads`, {
    method: 'POST',
    headers: {
      ...tusHeaders(),
      'Upload-Length': String(segment.length),
      'Upload-Metadata': `digest ${base64(sha256(segment))},kind ${base64('segment')}`,
    },
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

async function send(i: number, path: string, offset: number, bytes: Uint8Array): Promise<number> {
  const { status } = await fetch(addressOf(i) + path, {
    method: 'PATCH',
    headers: {
      ...tusHeaders(),
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  });
  return status;
}

async function offsetAt(i: number, path: string): Promise<number | undefined> {
  const response = await fetch(addressOf(i) + path, { method: 'HEAD', headers: tusHeaders() });
  return response.ok ? Number(response.headers.get('upload-offset')) : undefined;
}

async function ask(i: number, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(addressOf(i) + path, {
    method,
    headers: { ...bearer(), 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function incoming(): Promise<string[]> {
  const bucket = new S3Bucket(bucketPlace(placeOf(world.data)));
  const keys: string[] = [];
  for await (const { key } of bucket.list('incoming/')) keys.push(key);
  await bucket.close();
  return keys;
}

const within = async (what: () => Promise<boolean>, milliseconds = 40_000) => {
  for (const end = performance.now() + milliseconds; performance.now() < end; await delay(200))
    if (await what()) return true;
  return false;
};

withReplicas('three servers of one catalog and one bucket', () => {
  test('an upload that one begins the next goes on with and the third ends', async () => {
    const segment = segmentOf(200, 1);
    const path = await begin(0, segment);
    expect(await send(0, path, 0, segment.subarray(0, 1000))).toBe(204);
    expect(await offsetAt(1, path)).toBe(1000);
    expect(await send(1, path, 1000, segment.subarray(1000, 5000))).toBe(204);
    expect(await incoming()).toHaveLength(2);
    expect(await send(2, path, 5000, segment.subarray(5000))).toBe(204);
    expect(await offsetAt(0, path)).toBeUndefined();
    expect(await incoming()).toEqual([]);
    const accepted = await ask(
      1,
      'POST',
      '/v1/contributions',
      contributionOf([segment], world.keys.institution),
    );
    expect(accepted.status).toBe(201);
    const head = async (i: number) =>
      (await (await ask(i, 'GET', '/v1/log/head')).json()).publicKey;
    expect(await head(0)).toBe(await head(2));
  });

  test('of two requests from one byte on, at two servers, one is kept', async () => {
    const segment = segmentOf(200, 2);
    const path = await begin(0, segment);
    const statuses = await Promise.all(
      [0, 1].map((i) => send(i, path, 0, segment.subarray(0, 7000))),
    );
    expect(statuses.sort()).toEqual([204, 409]);
    expect(await offsetAt(2, path)).toBe(7000);
    expect(await incoming()).toHaveLength(1);
    const ended = await Promise.all([1, 2].map((i) => send(i, path, 7000, segment.subarray(7000))));
    expect(ended).toContain(204);
    expect(await store.blobs.size(sha256(segment))).toBe(segment.length);
  });

  test('vectors that two contributions nearly share are taken once, whichever servers they come to', async () => {
    const other = await Store.open(join(folder, 'other'), {
      catalog: await catalogFor(world.data),
      blobs: blobsAt(placeOf(world.data), folder),
    });
    const sentences = [...releases(1, 50)];
    // Of no other contribution here, whose vectors are shorter.
    const modelDigest = sha256(Buffer.from('another model'));
    const given = await Promise.allSettled(
      [store, other].map(async (opened, i) => {
        const giver = await Giver.of(opened, `giver-${i}`);
        const bytes = writeSegment(
          { ...RELEASE_SHAPE, modelDigest },
          disguised(sentences, 0.1 * i),
        );
        await giver.upload(bytes);
        const contribution = giver.contributionOf(bytes, modelDigest);
        const bundle = {
          architecture: { representation: { dimension: RELEASE_SHAPE.dimension } },
          noise: { outputStddev: OUTPUT_NOISE },
        } as unknown as Manifest;
        const check = new ReplayCheck(opened);
        return check.judge(contribution.manifest, bundle, () => giver.accept(contribution));
      }),
    );
    await other.close();
    expect(given.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = given.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toEqual(
      expect.objectContaining({ message: expect.stringMatching(/too near/) }),
    );
  });

  test('what one withdraws leaves the bucket and the caches of the others', async () => {
    const segment = segmentOf(300, 4);
    const path = await begin(0, segment);
    await send(0, path, 0, segment);
    const envelope = contributionOf([segment], world.keys.institution);
    const { id } = await (await ask(0, 'POST', '/v1/contributions', envelope)).json();
    const consumer = { Authorization: `Bearer ${world.tokens.consumer}` };
    const made = await fetch(`${addressOf(1)}/v1/snapshots`, {
      method: 'POST',
      headers: { ...consumer, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        model: JSON.parse(Buffer.from(envelope.payload, 'base64').toString()).model,
      }),
    });
    const snapshot = await made.json();
    const cached = () => readdirSync(join(folder, 'replica-1', 'cache'));
    const read = async () => {
      const stream = await fetch(`${addressOf(1)}/v1/snapshots/${snapshot.id}/sentences`, {
        headers: consumer,
      });
      return (await stream.arrayBuffer()).byteLength;
    };
    expect(await within(async () => (await read()) > 0 && cached().includes(sha256(segment)))).toBe(
      true,
    );
    expect((await ask(2, 'DELETE', `/v1/contributions/${id}`)).ok).toBe(true);
    expect(await store.blobs.size(sha256(segment))).toBeUndefined();
    expect(await within(async () => !cached().includes(sha256(segment)))).toBe(true);
  }, 120_000);

  test('another leads when the leader was not heard of for its time', async () => {
    const leader = async () => {
      const row = await store.catalog.read.selectFrom('leases').selectAll().executeTakeFirst();
      return row?.holder;
    };
    const before = await leader();
    expect(before).toBeDefined();
    for (const replica of replicas) replica.signal('SIGSTOP');
    await changeRows(store.catalog, sql`UPDATE leases SET ends = 0`);
    // All but the one that led go on; which that is the lease does not say, so that they go on one by one.
    replicas[0]?.signal('SIGCONT');
    const changed = await within(async () => {
      const row = await store.catalog.read.selectFrom('leases').selectAll().executeTakeFirst();
      return (row?.ends ?? 0) > Date.now();
    });
    for (const replica of replicas) replica.signal('SIGCONT');
    expect(changed).toBe(true);
  }, 120_000);

  test('clients lose nothing while servers are killed and held up', async () => {
    const acknowledged: { id: string; segment: string }[] = [];
    const withdrawn: string[] = [];
    const counts = { killed: 0, held: 0, retried: 0 };
    const deadline = () => performance.now() + PATIENCE_MS;
    /** At one server after another, until one answers as wanted. */
    const insist = async <T>(attempt: (i: number) => Promise<T | undefined>): Promise<T> => {
      for (const end = deadline(); performance.now() < end; await delay(RETRY_MS)) {
        const done = await attempt(random.integer(REPLICAS)).catch(() => undefined);
        if (done !== undefined) return done;
        counts.retried++;
      }
      throw new Error('no server took it within a minute');
    };
    const give = async (seed: number) => {
      const segment = segmentOf(40, seed);
      const digest = sha256(segment);
      await insist(async (first) => {
        const path = await begin(first, segment);
        for (let offset = 0; offset < segment.length; ) {
          const piece = segment.subarray(offset, offset + 4000);
          const status = await send(random.integer(REPLICAS), path, offset, piece).catch(() => 0);
          const found = await insist(async (i) => {
            const at = await offsetAt(i, path);
            if (at !== undefined) return at;
            return (await ask(i, 'HEAD', `/v1/blobs/${digest}`)).ok ? segment.length : -1;
          });
          if (found < 0) return undefined;
          if (status === 204 && offset + piece.length < segment.length)
            expect(found).toBeGreaterThanOrEqual(offset + piece.length);
          offset = found;
        }
        return digest;
      });
      const envelope = contributionOf([segment], world.keys.institution);
      const id = await insist(async (i) => {
        const response = await ask(i, 'POST', '/v1/contributions', envelope);
        return response.ok ? ((await response.json()).id as string) : undefined;
      });
      acknowledged.push({ id, segment: digest });
      if (seed % 4 !== 0) return;
      await insist(async (i) => {
        const { ok } = await ask(i, 'DELETE', `/v1/contributions/${id}`);
        return ok || undefined;
      });
      withdrawn.push(id);
    };
    let seed = 1000;
    for (let round = 0; round < ROUNDS; round++) {
      const work = Promise.all(Array.from({ length: CLIENTS }, () => give(++seed)));
      await delay(50 + random.integer(400));
      const victim = random.integer(REPLICAS);
      if (round % 3 === 2) {
        counts.held++;
        replicas[victim]?.signal('SIGSTOP');
        await delay(1500);
        replicas[victim]?.signal('SIGCONT');
      } else {
        counts.killed++;
        const port = Number(new URL(addressOf(victim)).port);
        await replicas[victim]?.kill();
        replicas[victim] = await start(victim, port);
      }
      await work;
    }
    process.stdout.write(
      `${JSON.stringify({ rounds: ROUNDS, contributions: acknowledged.length, withdrawals: withdrawn.length, ...counts })}\n`,
    );
    const kept = await store.contributions.list();
    const found = kept.filter(({ id }) => acknowledged.some((each) => each.id === id));
    expect(found).toHaveLength(acknowledged.length);
    expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(acknowledged.length);
    expect(await store.log.firstBroken()).toBeUndefined();
    // What a killed server left of a withdrawal the leader erases.
    expect(await within(async () => (await verifyStore(store)).notErased.length === 0)).toBe(true);
    expect(await verifyStore(store)).toEqual(
      expect.objectContaining({ damaged: [], missing: [], notErased: [], logBrokenAt: null }),
    );
    expect(withdrawn.length).toBeGreaterThan(0);
  }, 600_000);
});
