import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { TacetError } from '../../../proto/errors.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { collect } from '../../../services/http/collection.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { RateLimit } from '../../../services/http/rate-limit.js';
import { ALL_BUT_DATE } from '../../all-but-date.js';
import { testOnSqlite } from '../../pool-store/opened-store.js';
import { TEST_BUCKET } from '../../pool-store/test-place.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

const SEGMENT = segmentOf(100, 1);
const HOUR_MS = 3_600_000;

let world: World;
let servers: Servers;
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, {
    limits: {
      ...DEFAULT_LIMITS,
      quotaBytes: 2.5 * SEGMENT.length,
      openUploads: 3,
      requestSeconds: 1,
      idleSeconds: 2,
    },
  });
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

const url = () => servers.addresses.pool ?? '';
const clientOf = (token: string) => new ServiceClient({ baseUrl: url(), token });

/** Begins an upload and sends nothing. */
async function begin(token: string, digest: string, bytes: number): Promise<Response> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return fetch(`${url()}/v1/uploads`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(bytes),
      'Upload-Metadata': `digest ${base64(digest)},kind ${base64('segment')}`,
    },
  });
}

async function institution(name: string): Promise<string> {
  return (await servers.store.tokens.create({ role: 'institution', name })).token;
}

async function give(token: string, seed: number): Promise<string> {
  const bytes = segmentOf(100, seed);
  await clientOf(token).upload(bytes, { digest: sha256(bytes), kind: 'segment' });
  return sha256(bytes);
}

/** A bucket refuses what a clock that has jumped has signed, until its answer has told the time. */
async function givenAtLast(token: string, seed: number): Promise<string> {
  for (let tries = 1; TEST_BUCKET !== undefined && tries < 5; tries++) {
    try {
      return await give(token, seed);
    } catch (error) {
      if (!(error instanceof TacetError) || error.status < 500) throw error;
    }
  }
  return give(token, seed);
}

describe('a quota', () => {
  test('counts what an institution has stored and has begun, whatever its token', async () => {
    const [one, two] = [await institution('full'), await institution('full')];
    await give(one, 1);
    expect((await begin(two, 'ab'.repeat(32), SEGMENT.length)).status).toBe(201);
    const refused = await begin(one, 'cd'.repeat(32), SEGMENT.length);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual(coded('quota-exceeded'));
    expect((await begin(await institution('empty'), 'cd'.repeat(32), SEGMENT.length)).status).toBe(
      201,
    );
  });

  test('has room again for what was withdrawn', async () => {
    const { institution: token } = world.tokens;
    await give(token, 2);
    const digest = await give(token, 3);
    await expect(give(token, 4)).rejects.toEqual(coded('quota-exceeded'));
    const envelope = contributionOf([segmentOf(100, 3)], world.keys.institution);
    const { id } = await clientOf(token).json<{ id: string }>(
      'POST',
      '/v1/contributions',
      envelope,
    );
    await clientOf(token).json('DELETE', `/v1/contributions/${id}`);
    expect(await give(token, 4)).not.toBe(digest);
  });

  test('of unfinished uploads is by token', async () => {
    const token = await institution('many');
    for (const digest of ['01', '02', '03']) {
      expect((await begin(token, digest.repeat(32), 10)).status).toBe(201);
    }
    expect(await (await begin(token, '04'.repeat(32), 10)).json()).toEqual(coded('quota-exceeded'));
  });

  test('leaves the disk its reserve', async () => {
    const limits = { ...DEFAULT_LIMITS, reserveBytes: Number.MAX_SAFE_INTEGER };
    const other = await createWorld();
    const full = await serve(other, { limits });
    const client = new ServiceClient({
      baseUrl: full.addresses.pool ?? '',
      token: other.tokens.institution,
    });
    const answer = client.upload(SEGMENT, { digest: sha256(SEGMENT), kind: 'segment' });
    await expect(answer).rejects.toEqual(coded('store-full'));
    await full.close();
    other.remove();
  });

  testOnSqlite('leaves the disk its reserve, save for what was said before', async () => {
    const other = await createWorld();
    const before = await serve(other);
    const as = ({ addresses }: Servers, role: 'institution' | 'consumer') =>
      new ServiceClient({ baseUrl: addresses.pool ?? '', token: other.tokens[role] });
    const giver = as(before, 'institution');
    for (const segment of [SEGMENT, segmentOf(100, 2)]) {
      await giver.upload(segment, { digest: sha256(segment), kind: 'segment' });
      const envelope = contributionOf([segment], other.keys.institution);
      await giver.json('POST', PATHS.contributions, envelope);
    }
    const [, { received }] = await before.store.contributions.list();
    const first = as(before, 'consumer');
    const snapshot = await first.json<Snapshot>('POST', PATHS.snapshots, {});
    const model = { name: 'pooled', version: '1.0.0' };
    const job = { snapshot: snapshot.id, ...model, config: {} };
    const runs = pathTo(PATHS.snapshotRuns, snapshot);
    const run = (digit: string) => [runs, { run: digit.repeat(64), ...model }] as const;
    const key = () => {
      const { publicKey } = generateKeyPairSync('ed25519');
      return { publicKey: Buffer.from(rawPublicKey(publicKey)).toString('base64') };
    };
    const known: readonly (readonly [path: string, body: object])[] = [
      ...[run('1'), [PATHS.identities, key()] as const, [PATHS.snapshots, {}] as const],
      [PATHS.trainingJobs, job],
    ];
    const said = [];
    for (const [path, body] of known) said.push(await first.json('POST', path, body));
    await before.close();

    const limits = { ...DEFAULT_LIMITS, reserveBytes: Number.MAX_SAFE_INTEGER };
    const full = await serve(other, { limits });
    const consumer = as(full, 'consumer');
    for (const [index, [path, body]] of known.entries())
      expect(await consumer.json('POST', path, body)).toEqual(said[index]);
    for (const [path, body] of [
      [PATHS.snapshots, { until: received }],
      [PATHS.trainingJobs, { ...job, version: '1.0.1' }],
      [PATHS.trainingJobClaims, { models: [snapshot.modelDigest] }],
      run('2'),
      [PATHS.identities, key()],
    ] as const)
      await expect(consumer.json('POST', path, body)).rejects.toEqual(coded('store-full'));
    await full.close();
    other.remove();
  });
});

describe('a collection', () => {
  test('drops what nobody came back for, and nothing that is used', async () => {
    const token = await institution('north');
    const unused = await give(token, 10);
    await begin(token, 'ef'.repeat(32), 10);
    const kept = (await servers.store.contributions.list()).length;
    const later = Date.now() + 2 * HOUR_MS;
    expect(await collect(servers.store, { uploadHours: 3, blobHours: 3 }, later)).toEqual({
      uploads: 0,
      blobs: 0,
    });
    const { uploads, blobs } = await collect(
      servers.store,
      { uploadHours: 1, blobHours: 1 },
      later,
    );
    expect(uploads).toBeGreaterThan(0);
    expect(blobs).toBeGreaterThan(0);
    expect(readdirSync(servers.store.uploads)).toEqual([]);
    expect(await clientOf(token).has(unused)).toBe(false);
    expect(await servers.store.contributions.list()).toHaveLength(kept);
    expect(await give(token, 10)).toBe(unused);
    const headers = { Authorization: `Bearer ${world.tokens.monitor}` };
    const metrics = await (await fetch(`${url()}/metrics`, { headers })).text();
    expect(metrics).toMatch(/^tacet_problems_total\{code="quota-exceeded",service="pool"\} [1-9]/m);
    expect(metrics).toMatch(/^tacet_store_bytes\{owner="north",service="pool"\} [1-9]/m);
    expect(metrics).toMatch(/^tacet_disk_free_bytes\{service="pool"\} [1-9]/m);
    expect(metrics).toMatch(/^tacet_uploads_open\{service="pool"\} 0$/m);
    expect(await clientOf(token).has(unused)).toBe(true);
  });
});

describe('a collection by a server whose clock is wrong', () => {
  test.each([
    ['ahead', 100],
    ['behind', -100],
  ])('drops nothing for its clock is %s', async (_, hours) => {
    const token = await institution(`clock-${hours > 0 ? 'ahead' : 'behind'}`);
    jest.useFakeTimers({ now: Date.now() + hours * HOUR_MS, doNotFake: ALL_BUT_DATE });
    let stored: string;
    try {
      stored = await givenAtLast(token, 11 + Math.sign(hours));
      const limits = { uploadHours: 1e6, blobHours: 1 };
      expect(await collect(servers.store, limits)).toEqual({ uploads: 0, blobs: 0 });
    } finally {
      jest.useRealTimers();
    }
    const { stored: time = '' } = (await servers.store.blobRecords.find(stored)) ?? {};
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(HOUR_MS);
  });
});

describe('a limit on the rate', () => {
  test('is by caller and refills with time', () => {
    let nowMs = 0;
    const limit = new RateLimit({ perMinute: 60, clock: () => nowMs });
    for (let i = 0; i < 60; i++) limit.take('a');
    expect(() => limit.take('a')).toThrow(coded('rate-limited'));
    limit.take('b');
    nowMs += 1000;
    limit.take('a');
    expect(() => limit.take('a')).toThrow(coded('rate-limited'));
  });

  test('refuses nobody because the clock was set back', () => {
    const limit = new RateLimit({ perMinute: 60 });
    limit.take('a');
    const setBack = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - HOUR_MS);
    try {
      limit.take('a');
    } finally {
      setBack.mockRestore();
    }
  });

  test('remembers no more callers than it has room for', () => {
    const limit = new RateLimit({ perMinute: 1, clock: () => 0 });
    limit.take('first');
    for (let i = 0; i < 9_999; i++) limit.take(`${i}`);
    expect(() => limit.take('first')).toThrow(coded('rate-limited'));
    for (let i = 0; i < 10_000; i++) limit.take(`other ${i}`);
    limit.take('first');
  });

  test('is answered with 429 and when to come again', async () => {
    const other = await createWorld();
    const strict = await serve(other, { limits: { ...DEFAULT_LIMITS, requestsPerMinute: 3 } });
    const ask = (token: string) =>
      fetch(`${strict.addresses.pool}/v1/statistics`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask(other.tokens.admin)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(other.tokens.admin);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual(coded('rate-limited'));
    expect((await ask(other.tokens.consumer)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await ask('wrong')).status).toBe(401);
    expect((await ask('wrong')).status).toBe(429);
    await strict.close();
    other.remove();
  });
});

describe('a slow client', () => {
  /** What the server answers before it closes the connection. */
  async function converse(...parts: readonly string[]): Promise<string> {
    const { hostname, port } = new URL(url());
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    for (const part of parts) socket.write(part);
    await once(socket, 'close');
    return answer;
  }

  test('that does not finish its request is cut off', async () => {
    const body = ['POST /v1/snapshots HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    const headers = [`Authorization: Bearer ${world.tokens.consumer}`, 'Content-Length: 50'];
    const answer = await converse(`${[...body, ...headers].join('\r\n')}\r\n\r\n{`);
    expect(answer).not.toMatch(/^HTTP\/1.1 2/);
    expect((await fetch(`${url()}/livez`)).status).toBe(200);
  });

  test('that says nothing at all is cut off', async () => {
    expect(await converse()).not.toMatch(/^HTTP\/1.1 2/);
  });

  test('keeps what it sent of an upload', async () => {
    const token = await institution('slow');
    await givenAtLast(token, 40);
    const begun = await begin(token, sha256(SEGMENT), SEGMENT.length);
    const location = begun.headers.get('location') ?? '';
    const headers = [
      `PATCH ${location} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Tus-Resumable: 1.0.0',
      'Upload-Offset: 0',
      'Content-Type: application/offset+octet-stream',
      `Content-Length: ${SEGMENT.length}`,
    ];
    const offset = async () => {
      const asked = await fetch(new URL(location, url()), {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' },
      });
      return asked.headers.get('upload-offset');
    };
    await converse(`${headers.join('\r\n')}\r\n\r\n`, 'x'.repeat(500));
    // A bucket takes its time to keep them once the connection is closed.
    while ((await offset()) === '0') await delay(100);
    expect(await offset()).toBe('500');
  });
});
