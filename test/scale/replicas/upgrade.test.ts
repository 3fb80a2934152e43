import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyStore } from '../../../pool-store/verify.js';
import { contributionOf, segmentOf } from '../../services/world.js';
import { Cluster, REPLICAS } from './cluster.js';
import { PoolClient } from './pool-client.js';

/** `make test-scale` starts a database and a bucket, which several servers need. */
const isThere =
  process.env.TACET_TEST_CATALOG !== undefined && process.env.TACET_TEST_BLOBS !== undefined;
const withReplicas = isThere ? describe : describe.skip;
/** A folder in which another version is built, as test/scale/from-version does; where none is, this version takes its own place. */
const BEFORE = process.env.TACET_TEST_BEFORE;

const LONG_MS = 300_000;
const GIVERS = 4;
const MODEL = 'ab'.repeat(32);
/** Between two servers that are replaced. */
const REST_MS = 2000;

let cluster: Cluster;

beforeAll(async () => {
  if (!isThere) return;
  cluster = BEFORE === undefined ? await Cluster.start() : await Cluster.startBefore(BEFORE);
}, LONG_MS);
afterAll(async () => {
  if (isThere) await cluster.end();
});

withReplicas('servers that are replaced one after another, beside one more', () => {
  test(
    'take contributions and are read all the while, and lose nothing',
    async () => {
      const client = new PoolClient(cluster, 1);
      const acknowledged: string[] = [];
      const times: number[] = [];
      let seed = 0;
      const give = async (giver: PoolClient) => {
        const segment = segmentOf(40, ++seed, { modelDigest: MODEL });
        const envelope = contributionOf([segment], cluster.world.keys.institution);
        acknowledged.push(await giver.give(segment, envelope));
        times.push(performance.now());
      };
      await give(client);
      const snapshot = await client.insist((i) => client.freeze(i, MODEL));
      const whole = await client.insist((i) => client.read(i, snapshot));

      let isOver = false;
      const goOn = async (work: () => Promise<unknown>) => {
        while (!isOver) await work();
      };
      const givers = Array.from({ length: GIVERS }, (_, i) => new PoolClient(cluster, 10 + i));
      const reader = new PoolClient(cluster, 20);
      let readings = 0;
      const readOnce = async () => {
        expect(await reader.insist((i) => reader.read(i, snapshot))).toBe(whole);
        readings++;
      };
      const traffic = Promise.all([
        ...givers.map((giver) => goOn(() => give(giver))),
        goOn(readOnce),
      ]);
      traffic.catch(() => {});

      const start = performance.now();
      const statuses: (number | null)[] = [];
      try {
        await delay(REST_MS);
        expect(await cluster.add()).toBe(REPLICAS);
        for (let i = 0; i < REPLICAS; i++) {
          await delay(REST_MS);
          statuses.push(await cluster.replace(i));
        }
        await delay(REST_MS);
        statuses.push(await cluster.removeLast());
        await delay(REST_MS);
      } finally {
        isOver = true;
      }
      await traffic;

      const pauses = times
        .filter((time) => time > start)
        .map((time, k, all) => time - (all[k - 1] ?? start));
      const retried = givers.reduce((sum, each) => sum + each.retried, 0);
      process.stdout.write(
        `${JSON.stringify({
          ...{ contributions: acknowledged.length, retried, readings },
          'readings tried again': reader.retried,
          'longest time without a contribution, ms': Math.round(Math.max(...pauses)),
        })}\n`,
      );
      expect(statuses).toEqual([0, 0, 0, 0]);
      if (BEFORE !== undefined) await cluster.openStore();
      const { store } = cluster;
      const kept = (await store.contributions.list()).map(({ id }) => id);
      expect(kept.sort()).toEqual([...acknowledged].sort());
      expect(new Set(kept).size).toBe(acknowledged.length);
      expect(await verifyStore(store)).toEqual(
        expect.objectContaining({ damaged: [], missing: [], notErased: [], logBrokenAt: null }),
      );
    },
    LONG_MS,
  );
});
