import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import type { Store } from '../../../pool-store/store.js';
import { Housekeeping } from '../../../services/cli/housekeeping.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { contentOf } from '../../pool-store/content.js';
import { openStore } from '../../pool-store/opened-store.js';

const LEADER = 'housekeeping';
const BYTES = Buffer.from('bytes that nothing names');
const DIGEST = createHash('sha256').update(BYTES).digest('hex');
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
  ...(['clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

let directory: string;
let store: Store;
let housekeeping: Housekeeping;
let goOn = () => {};

/** A store that others serve too, whose recovery waits for `goOn`; bytes that nothing names are in it. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-housekeeping-'));
  store = await openStore(directory);
  Object.defineProperty(store, 'isShared', { value: true });
  await store.blobs.put(contentOf(BYTES), DIGEST);
  store.blobs.stored = async () => new Date(0);
  const digests = store.blobs.digests.bind(store.blobs);
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  store.blobs.digests = async function* () {
    yield* digests();
    await gate;
  };
  housekeeping = new Housekeeping(store, DEFAULT_LIMITS, pino({ level: 'silent' }));
  jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
});
afterEach(async () => {
  goOn();
  await housekeeping.stop();
  jest.useRealTimers();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const lease = () =>
  store.catalog.read.selectFrom('leases').selectAll().where('name', '=', LEADER).executeTakeFirst();

async function untilTaken(): Promise<void> {
  while (!(await lease())) await delay(10);
}

describe('a leader that recovers for longer than its lease', () => {
  test('prolongs it meanwhile, and leads when it is done', async () => {
    const starting = housekeeping.start();
    await untilTaken();
    const { ends: before = 0 } = (await lease()) ?? {};
    do {
      await delay(20);
      jest.advanceTimersByTime(10_000);
    } while (((await lease())?.ends ?? 0) <= before);
    goOn();
    await starting;
    expect(housekeeping.isLeading).toBe(true);
    expect(await store.blobs.size(DIGEST)).toBeUndefined();
  });

  test('moves nothing once another leads', async () => {
    const taken = jest.spyOn(store.leases, 'take');
    const starting = housekeeping.start();
    await untilTaken();
    await store.leases.release(LEADER, store.holder);
    expect(await store.leases.take(LEADER, 'another', 60_000)).toBe(true);
    while ((await taken.mock.results.at(-1)?.value) !== false) {
      await delay(20);
      jest.advanceTimersByTime(10_000);
    }
    goOn();
    await starting;
    expect(housekeeping.isLeading).toBe(false);
    expect(await store.blobs.size(DIGEST)).toBe(BYTES.length);
    expect(await lease()).toEqual(expect.objectContaining({ holder: 'another' }));
  });
});

test('a recovery that fails is made again at the next turn', async () => {
  goOn();
  await housekeeping.start();
  await store.leases.release(LEADER, store.holder);
  await store.leases.take(LEADER, 'another', 60_000);
  const turn = async (isDone: () => boolean) => {
    while (!isDone()) {
      jest.advanceTimersByTime(10_000);
      await delay(20);
    }
  };
  await turn(() => !housekeeping.isLeading);
  await store.leases.release(LEADER, 'another');
  const { aside } = store.blobs;
  let failures = 0;
  store.blobs.aside = () => {
    failures++;
    throw new Error('away');
  };
  await turn(() => failures > 0);
  expect(housekeeping.isLeading).toBe(false);
  store.blobs.aside = aside;
  await turn(() => housekeeping.isLeading);
});
