import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { Random } from '../../../models/tensor/random.js';
import { verifyStore } from '../../../pool-store/verify.js';
import { writeSegment } from '../../../proto/segment.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import { corpusSite, SMALL_CONFIG } from '../../services/cli/small-corpus.js';
import { TrainingSite } from '../../services/cli/training-site.js';
import { disguised, RELEASE_SHAPE, releases } from '../../services/pool/releases.js';
import { contributionOf, segmentOf, sha256 } from '../../services/world.js';
import { Cluster, REPLICAS } from './cluster.js';
import { befall, type Fault, faultOf } from './faults.js';
import { PoolClient } from './pool-client.js';
import { Trainings } from './trainings.js';
import { within } from './within.js';

/** `make test-scale` starts a database and a bucket, which several servers need. */
const isThere =
  process.env.TACET_TEST_CATALOG !== undefined && process.env.TACET_TEST_BLOBS !== undefined;
const withReplicas = isThere ? describe : describe.skip;

const ROUNDS = Number(process.env.TACET_FAULT_ROUNDS ?? 14);
const ROUND_LIMIT_MS = 60_000;
const START_MS = 120_000;
const CLIENTS = 6;
const READERS = 2;
const HOUR_MS = 3_600_000;
const DIMENSION = 50;
const EPOCHS = 8;
const JOBS = { ...SMALL_CONFIG, supervised: { maxEpochs: EPOCHS, patience: EPOCHS } };
const MODEL = { ...SMALL_CONFIG, representation: { units: 12, dimension: DIMENSION } };
/** Of its noise, which a second release of the same vectors lacks where they are moved by so much. */
const MOVED = 0.1;

interface Given {
  readonly id: string;
  readonly segment: string;
}

const { at } = corpusSite(12);
let cluster: Cluster;
let client: PoolClient;
let site: TrainingSite;
let trainings: Trainings;
/** Of segments that the published model encoded. */
let shape: SegmentShape;
/** With which the pool takes them for releases of it. */
let stddev: Float32Array;

beforeAll(async () => {
  if (!isThere) return;
  cluster = await Cluster.start();
  client = new PoolClient(cluster, 1);
  const { store, world, anyOf } = cluster;
  const asked = { addresses: anyOf, tokens: world.tokens };
  const { identities } = store;
  site = await TrainingSite.made(at, asked, { identities, jobs: JOBS, representation: MODEL });
  trainings = new Trainings(cluster, site, JOBS);
  const modelDigest = (await store.models.list())[0]?.digest ?? '';
  const { noise, labelScheme } = (await store.models.manifestOf(modelDigest)) as Manifest;
  const labels = { labelSchemeDigest: labelScheme.digest, labelCount: labelScheme.labels.length };
  shape = { ...RELEASE_SHAPE, ...labels, modelDigest };
  const variance = noise?.outputStddev.sumOfSquares ?? 0;
  stddev = new Float32Array(DIMENSION).fill(Math.sqrt(variance / DIMENSION));
}, START_MS);
afterAll(async () => {
  if (isThere) await cluster.end();
});

withReplicas('three servers, whatever befalls them', () => {
  test(
    'lose nothing, double nothing and leave nothing: contributions that are judged, withdrawals, and trainings of workers',
    async () => {
      const random = new Random(1);
      const clients = Array.from({ length: CLIENTS }, (_, i) => new PoolClient(cluster, 10 + i));
      const readers = Array.from({ length: READERS }, (_, i) => new PoolClient(cluster, 20 + i));
      const acknowledged: Given[] = [];
      const withdrawn: Given[] = [];
      const twins: (string | undefined)[][] = [];
      const counts: Partial<Record<Fault, number>> = {};
      const reads = { whole: 0, failed: 0 };
      let copies = 0;
      const { snapshot } = site;
      const whole = await client.insist((i) => client.read(i, snapshot));

      const released = (seed: number) => [...releases(seed, 20, 1, stddev)];
      const signed = (segment: Uint8Array, { modelDigest, labelSchemeDigest } = shape) =>
        contributionOf([segment], cluster.world.keys.institution, {
          ...{ model: modelDigest, labelScheme: labelSchemeDigest },
        });

      /** For good, as releases of the model, which the pool compares with all others of it. */
      const give = async (giver: PoolClient, seed: number) => {
        const segment = writeSegment(shape, released(seed));
        const id = await giver.give(segment, signed(segment));
        acknowledged.push({ id, segment: sha256(segment) });
      };
      /** The same vectors twice, moved a little, each by another client at any server. */
      const giveTwice = async (givers: readonly PoolClient[], seed: number) => {
        const once = released(seed);
        const ids = await Promise.all(
          [once, disguised(once, MOVED, stddev)].map(async (sentences, i) => {
            const segment = writeSegment(shape, sentences);
            const id = await (givers[i] as PoolClient).offer(segment, signed(segment));
            if (id !== undefined) acknowledged.push({ id, segment: sha256(segment) });
            return id;
          }),
        );
        twins.push(ids);
      };
      /** In a snapshot of a model of its own, which a server has a copy of before the withdrawal. */
      const giveAndTakeBack = async (giver: PoolClient, seed: number) => {
        const own = { ...shape, modelDigest: sha256(Buffer.from(`model ${seed}`)) };
        const segment = segmentOf(10, seed, own);
        const id = await giver.give(segment, signed(segment, own));
        const given = { id, segment: sha256(segment) };
        acknowledged.push(given);
        const frozen = await giver.insist((i) => giver.freeze(i, own.modelDigest));
        const isCopied = await giver.insist(async (i) => {
          await giver.read(i, frozen);
          return cluster.cached(i).includes(given.segment);
        });
        if (isCopied) copies++;
        await giver.insist(async (i) => {
          const { ok } = await giver.ask(i, 'DELETE', `/v1/contributions/${id}`);
          return ok || undefined;
        });
        withdrawn.push(given);
      };
      const readOnce = async (reader: PoolClient) => {
        const found = await reader.read(random.integer(REPLICAS), snapshot).catch(() => undefined);
        if (found === undefined) reads.failed++;
        else {
          reads.whole++;
          expect(found).toBe(whole);
        }
      };

      let [seed, rounds] = [1000, 0];
      const report = () => ({
        ...{ rounds, contributions: acknowledged.length, withdrawals: withdrawn.length, ...counts },
        'copies read before they were withdrawn': copies,
        'vectors given twice': twins.length,
        'commits broken off': cluster.proxy.broken,
        retried: clients.reduce((sum, { retried }) => sum + retried, 0),
        ...{ reads, trainings: trainings.jobs.length, 'workers lost': trainings.lost },
      });
      let isOver = false;
      const giver = new PoolClient(cluster, 30);
      const training = Promise.all([1, 2].map(() => trainings.give(giver, () => isOver)));
      training.catch(() => {});
      try {
        for (; rounds < ROUNDS; rounds++) {
          const [first, second, third, ...others] = clients as [PoolClient, PoolClient, PoolClient];
          const work = Promise.all([
            giveTwice([first, second], ++seed),
            giveAndTakeBack(third, ++seed),
            ...others.map((each) => give(each, ++seed)),
            ...readers.map(readOnce),
          ]);
          // What fails meanwhile is told at the end of the round.
          work.catch(() => {});
          await delay(random.integer(300));
          const fault = faultOf(rounds, random);
          counts[fault] = (counts[fault] ?? 0) + 1;
          await befall(fault, { cluster, trainings }, random);
          await work;
        }
        for (let i = 0; i < REPLICAS; i++) cluster.shiftClock(i, 0);
        isOver = true;
        await training;
      } finally {
        isOver = true;
        process.stdout.write(`${JSON.stringify(report())}\n`);
      }

      const { store } = cluster;
      const ids = acknowledged.map(({ id }) => id);
      const kept = (await store.contributions.list()).filter(({ id }) => ids.includes(id));
      expect(kept).toHaveLength(acknowledged.length);
      expect(new Set(ids).size).toBe(acknowledged.length);
      expect(twins.filter((both) => both.filter(Boolean).length !== 1)).toEqual([]);
      expect(await store.log.firstBroken()).toBeUndefined();
      await expectTrained();
      // What a killed server left of a withdrawal the leader erases.
      expect(await within(async () => (await verifyStore(store)).notErased.length === 0)).toBe(
        true,
      );
      expect(await verifyStore(store)).toEqual(
        expect.objectContaining({ damaged: [], missing: [], notErased: [], logBrokenAt: null }),
      );
      await expectNothingIncoming();
      const gone = new Set(withdrawn.map(({ segment }) => segment));
      const areCopiesGone = async () =>
        Array.from({ length: REPLICAS }, (_, i) => cluster.cached(i))
          .flat()
          .every((name) => !gone.has(name));
      expect(await within(areCopiesGone)).toBe(true);
      expect(copies).toBeGreaterThan(0);
    },
    START_MS + ROUNDS * ROUND_LIMIT_MS,
  );
});

/** Each job came to the weights of a training that nothing befell, once, and what was published of it is whole. */
async function expectTrained(): Promise<void> {
  const { jobs, lost } = trainings;
  const { models, log } = cluster.store;
  const ends: string[] = [];
  for await (const { action, subject } of log.all()) if (action === 'job-done') ends.push(subject);
  expect(jobs.length).toBeGreaterThan(0);
  for (const { id, state, failure, result, version } of jobs) {
    expect({ id, state, failure }).toEqual({ id, state: 'done', failure: null });
    expect(result).toMatchObject({ epochs: EPOCHS, weights: site.weights, published: { version } });
  }
  expect(ends.sort()).toEqual(jobs.map(({ id }) => id).sort());
  const published = (await models.list()).map(({ digest }) => digest);
  expect(published.sort()).toEqual(
    [shape.modelDigest, ...jobs.map(({ result }) => result?.published?.digest)].sort(),
  );
  expect(lost).toBe(0);
  expect(await trainings.end()).toEqual([0, 0]);
}

/** Of requests that were cut off nothing is left but what a row names, or a sweep finds. */
async function expectNothingIncoming(): Promise<void> {
  const { openUploads } = cluster.store;
  const open = (await openUploads.all()).map(({ id }) => id);
  const unnamed = (await cluster.incoming()).filter((key) => !open.some((id) => key.includes(id)));
  // A fault cuts one request of each client off, at most.
  expect(unnamed.length).toBeLessThanOrEqual(CLIENTS * ROUNDS);
  for (const id of open) await openUploads.remove(id);
  for (let i = 0; i < 2; i++) await openUploads.sweep(new Date(Date.now() + HOUR_MS));
  expect(await cluster.incoming()).toEqual([]);
}
