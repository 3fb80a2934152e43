import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { OpenBlob } from '../../../pool-store/blobs/blobs.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { TacetError } from '../../../proto/errors.js';
import { PATHS, pathTo } from '../../../proto/paths.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { servedWorld } from '../served-world.js';
import { contributionOf, segmentOf, sha256 } from '../world.js';

const IDLE_SECONDS = 1;

const site = servedWorld({ limits: { ...DEFAULT_LIMITS, idleSeconds: IDLE_SECONDS } });
let snapshot: Snapshot;
/** Blobs that were opened for readers. */
let opened = 0;
let delayMs = 0;

beforeAll(async () => {
  const institution = site.as('institution');
  const segment = segmentOf(200, 1);
  await institution.upload(segment, { digest: sha256(segment), kind: 'segment' });
  const envelope = contributionOf([segment], site.world.keys.institution);
  await institution.json('POST', PATHS.contributions, envelope);
  snapshot = await site.as('consumer').json('POST', PATHS.snapshots, {});
  const { blobs } = site.servers.store;
  const open = blobs.open.bind(blobs);
  blobs.open = async (...which: Parameters<typeof open>): Promise<OpenBlob> => {
    opened++;
    await delay(delayMs);
    return open(...which);
  };
});

function read(
  seed: number,
  headers: Record<string, string> = {},
  method = 'GET',
  signal: AbortSignal | null = null,
) {
  const path = pathTo(PATHS.snapshotSentences, snapshot);
  return fetch(`${site.pool}${path}?format=protobuf&seed=${seed}`, {
    ...{ method, signal },
    headers: {
      Authorization: `Bearer ${site.world.tokens.consumer}`,
      Connection: 'close',
      ...headers,
    },
  });
}

async function openedFor<T>(work: () => Promise<T>): Promise<[result: T, opened: number]> {
  opened = 0;
  const result = await work();
  return [result, opened];
}

const bytesOf = async (answer: Promise<Response>) =>
  Buffer.from(await (await answer).arrayBuffer());

test('the rest of a stream comes however long all before it takes, with the connection open', async () => {
  const whole = await bytesOf(read(1));
  const start = whole.length - 100;
  delayMs = IDLE_SECONDS * 1500;
  const rest = await bytesOf(read(2, { Range: `bytes=${start}-` }));
  const same = await bytesOf(read(1, { Range: `bytes=${start}-` }));
  delayMs = 0;
  expect(rest).toHaveLength(100);
  expect(same).toEqual(whole.subarray(start));
}, 60_000);

test('a stream that was read to its end is not made for its length', async () => {
  const [, once] = await openedFor(() => bytesOf(read(3)));
  const [rest, again] = await openedFor(() => bytesOf(read(3, { Range: 'bytes=10-' })));
  expect(rest.length).toBeGreaterThan(0);
  expect(again).toBe(once);
  const [, unknown] = await openedFor(() => bytesOf(read(4, { Range: 'bytes=10-' })));
  expect(unknown).toBe(2 * once);
});

test('the length is made on when who asked for the rest goes away, and the next try finds it', async () => {
  const [, once] = await openedFor(() => bytesOf(read(6)));
  const [rest, all] = await openedFor(async () => {
    delayMs = 300;
    const rest = { Range: 'bytes=10-' };
    const gone = new AbortController();
    const left = read(7, rest, 'GET', gone.signal);
    while (opened === 0) await delay(1);
    gone.abort();
    await expect(left).rejects.toThrow();
    const next = await Promise.all([bytesOf(read(7, rest)), bytesOf(read(7, rest))]);
    delayMs = 0;
    return next;
  });
  expect(rest[0]).toEqual(rest[1]);
  expect(all).toBe(3 * once);
});

test('who asks for the head of a stream has nothing made for it', async () => {
  const [answer, count] = await openedFor(() => read(5, {}, 'HEAD'));
  expect([answer.status, count]).toEqual([200, 0]);
  expect(answer.headers.get('etag')).toContain(snapshot.id);
});

test.each(['protobuf', 'arrow', 'ndjson'])(
  'a segment that is damaged is said before a byte of %s is answered',
  async (format) => {
    const { blobs } = site.servers.store;
    const { open } = blobs;
    blobs.open = () => Promise.reject(new TacetError('store-damaged', 'a blob is damaged'));
    const path = pathTo(PATHS.snapshotSentences, snapshot);
    const headers = { Authorization: `Bearer ${site.world.tokens.consumer}` };
    const answer = await fetch(`${site.pool}${path}?format=${format}&seed=8`, { headers });
    blobs.open = open;
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'store-damaged' });
  },
);
