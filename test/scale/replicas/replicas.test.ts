import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { blobsAt, placeOf } from '../../../pool-store/blobs/blob-place.js';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { Store } from '../../../pool-store/store.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { writeSegment } from '../../../proto/segment.js';
import { ReplayCheck } from '../../../services/pool/replay-check.js';
import { changeRows } from '../../pool-store/changed-rows.js';
import { catalogFor } from '../../pool-store/opened-store.js';
import { Giver } from '../../pool-store/pooled-store.js';
import { disguised, OUTPUT_NOISE, RELEASE_SHAPE, releases } from '../../services/pool/releases.js';
import { contributionOf, segmentOf, sha256 } from '../../services/world.js';
import { Cluster, REPLICAS } from './cluster.js';
import { PoolClient } from './pool-client.js';
import { within } from './within.js';

/** `make test-scale` starts a database and a bucket, which several servers need. */
const isThere =
  process.env.TACET_TEST_CATALOG !== undefined && process.env.TACET_TEST_BLOBS !== undefined;
if (!isThere) process.stderr.write('skipped: replicas need PostgreSQL and an object storage\n');
const withReplicas = isThere ? describe : describe.skip;

const HOUR_MS = 3_600_000;
/** Of all segments here but those of `RELEASE_SHAPE`. */
const MODEL = 'ab'.repeat(32);

let cluster: Cluster;
let client: PoolClient;

beforeAll(async () => {
  if (!isThere) return;
  cluster = await Cluster.start();
  client = new PoolClient(cluster, 1);
}, 120_000);
afterAll(async () => {
  if (isThere) await cluster.end();
});

const leaseEnds = async () => {
  const { read } = cluster.store.catalog;
  return (await read.selectFrom('leases').selectAll().executeTakeFirst())?.ends ?? 0;
};

withReplicas('three servers of one catalog and one bucket', () => {
  test('an upload that one begins the next goes on with and the third ends', async () => {
    const segment = segmentOf(200, 1);
    const path = await client.begin(0, segment);
    expect(await client.send(0, path, 0, segment.subarray(0, 1000))).toBe(204);
    expect(await client.offset(1, path)).toBe(1000);
    expect(await client.send(1, path, 1000, segment.subarray(1000, 5000))).toBe(204);
    expect(await cluster.incoming()).toHaveLength(2);
    expect(await client.send(2, path, 5000, segment.subarray(5000))).toBe(204);
    expect(await client.offset(0, path)).toBeUndefined();
    expect(await cluster.incoming()).toEqual([]);
    const envelope = contributionOf([segment], cluster.world.keys.institution);
    expect((await client.ask(1, 'POST', '/v1/contributions', envelope)).status).toBe(201);
    const head = async (i: number) =>
      (await (await client.ask(i, 'GET', '/v1/log/head')).json()).publicKey;
    expect(await head(0)).toBe(await head(2));
  });

  test('of two requests from one byte on, at two servers, one is kept', async () => {
    const segment = segmentOf(200, 2);
    const path = await client.begin(0, segment);
    const statuses = await Promise.all(
      [0, 1].map((i) => client.send(i, path, 0, segment.subarray(0, 7000))),
    );
    expect(statuses.sort()).toEqual([204, 409]);
    expect(await client.offset(2, path)).toBe(7000);
    expect(await cluster.incoming()).toHaveLength(1);
    const ended = await Promise.all(
      [1, 2].map((i) => client.send(i, path, 7000, segment.subarray(7000))),
    );
    expect(ended).toContain(204);
    expect(await cluster.store.blobs.size(sha256(segment))).toBe(segment.length);
  });

  test('vectors that two contributions nearly share are taken once, whichever servers they come to', async () => {
    const { store, folder, world } = cluster;
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
        return check.judge(contribution, bundle);
      }),
    );
    await other.close();
    expect(given.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = given.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toEqual(
      expect.objectContaining({ message: expect.stringMatching(/too near/) }),
    );
  });

  test('what one accepts another compares without asking the bucket, unless it was withdrawn', async () => {
    const { store, folder, world } = cluster;
    const other = await Store.open(join(folder, 'asking'), {
      catalog: await catalogFor(world.data),
      blobs: blobsAt(placeOf(world.data), folder),
    });
    const modelDigest = sha256(Buffer.from('a third model'));
    const bundle = {
      architecture: { representation: { dimension: RELEASE_SHAPE.dimension } },
      noise: { outputStddev: OUTPUT_NOISE },
    } as unknown as Manifest;
    const asked: string[] = [];
    const open = other.blobs.open.bind(other.blobs);
    other.blobs.open = (digest, ...how) => {
      asked.push(digest);
      return open(digest, ...how);
    };
    const checks = new Map([store, other].map((each) => [each, new ReplayCheck(each)]));
    const give = async (to: Store, sentences: readonly EncodedSentence[]) => {
      const giver = await Giver.of(to, to === other ? 'asker' : 'teller');
      const bytes = writeSegment({ ...RELEASE_SHAPE, modelDigest }, sentences);
      const digest = await giver.upload(bytes);
      const given = giver.contributionOf(bytes, modelDigest);
      const { id } = await (checks.get(to) as ReplayCheck).judge(given, bundle);
      return { id, digest };
    };
    await give(other, [...releases(300, 20)]);
    const told = [...releases(301, 20)];
    const first = await give(store, told);
    await expect(give(other, disguised(told, 0.1))).rejects.toThrow(/too near/);
    expect(asked).not.toContain(first.digest);
    const second = await give(store, [...releases(302, 20)]);
    await store.contributions.withdraw(first.id);
    await give(other, [...releases(303, 20)]);
    expect(asked).toContain(second.digest);
    await other.close();
  });

  test('what one withdraws leaves the bucket and the caches of the others', async () => {
    const segment = segmentOf(300, 4);
    const id = await client.give(
      segment,
      contributionOf([segment], cluster.world.keys.institution),
    );
    const snapshot = await client.freeze(1, MODEL);
    const isCached = () => cluster.cached(1).includes(sha256(segment));
    const isCachedOnceRead = async () => {
      await client.read(1, snapshot);
      return isCached();
    };
    expect(await within(isCachedOnceRead)).toBe(true);
    expect((await client.ask(2, 'DELETE', `/v1/contributions/${id}`)).ok).toBe(true);
    expect(await cluster.store.blobs.size(sha256(segment))).toBeUndefined();
    expect(await within(async () => !isCached())).toBe(true);
  }, 120_000);

  test('another leads when the leader was not heard of for its time', async () => {
    expect(await leaseEnds()).toBeGreaterThan(0);
    for (let i = 0; i < REPLICAS; i++) cluster.signal(i, 'SIGSTOP');
    await changeRows(cluster.store.catalog, sql`UPDATE leases SET ends = 0`);
    // All but the one that led go on; which that is the lease does not say, so that they go on one by one.
    cluster.signal(0, 'SIGCONT');
    const changed = await within(async () => (await leaseEnds()) > Date.now());
    for (let i = 0; i < REPLICAS; i++) cluster.signal(i, 'SIGCONT');
    expect(changed).toBe(true);
  }, 120_000);

  test.each([
    ['ahead', 100 * HOUR_MS, 5],
    ['behind', -100 * HOUR_MS, 7],
  ])(
    'a leader whose clock jumps days %s drops nothing that is in use',
    async (_, jump, seed) => {
      const [begun, stored] = [segmentOf(200, seed), segmentOf(200, seed + 1)];
      const path = await client.begin(0, begun);
      expect(await client.send(0, path, 0, begun.subarray(0, 5000))).toBe(204);
      const odd = await cluster.add();
      for (let i = 0; i < REPLICAS; i++) cluster.signal(i, 'SIGSTOP');
      cluster.shiftClock(odd, jump);
      await changeRows(cluster.store.catalog, sql`UPDATE leases SET ends = 0`);
      const leads = await within(async () => (await leaseEnds()) > Date.now());
      const own = await client.begin(odd, stored);
      const status = await client.send(odd, own, 0, stored);
      for (let i = 0; i < REPLICAS; i++) cluster.signal(i, 'SIGCONT');
      expect(leads).toBe(true);
      // It ends when it has recovered and collected.
      expect(await cluster.removeLast()).toBe(0);
      expect(await client.send(1, path, 5000, begun.subarray(5000))).toBe(204);
      const envelope = contributionOf([begun], cluster.world.keys.institution);
      expect((await client.ask(2, 'POST', '/v1/contributions', envelope)).status).toBe(201);
      // A bucket refuses whose clock is wrong, unless it is told what is right.
      expect([204, 503]).toContain(status);
      const record = await cluster.store.blobRecords.find(sha256(stored));
      if (record) expect(Math.abs(Date.parse(record.stored) - Date.now())).toBeLessThan(HOUR_MS);
      else expect(status).toBe(503);
    },
    120_000,
  );
});
