import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { sql } from '../../../pool-store/catalog/kysely.js';
import type { Store } from '../../../pool-store/store.js';
import { Housekeeping } from '../../../services/cli/housekeeping.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { changeRows } from '../../pool-store/changed-rows.js';
import { contentOf } from '../../pool-store/content.js';
import { openStore } from '../../pool-store/opened-store.js';
import { Giver } from '../../pool-store/pooled-store.js';

const LEADER = 'housekeeping';
const MINUTE_MS = 60_000;
const BYTES = Buffer.from('bytes that nothing names');
const DIGEST = createHash('sha256').update(BYTES).digest('hex');
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
  ...(['clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-housekeeping-'));
  store = await openStore(directory);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('of a store that others serve too', () => {
  let housekeeping: Housekeeping;
  let goOn = () => {};

  /** Its recovery waits for `goOn`; bytes that nothing names are in it. */
  beforeEach(async () => {
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
  });

  const lease = () =>
    store.catalog.read
      .selectFrom('leases')
      .selectAll()
      .where('name', '=', LEADER)
      .executeTakeFirst();

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
      const prolonged = jest.spyOn(store.leases, 'prolong');
      const starting = housekeeping.start();
      await untilTaken();
      await store.leases.release(LEADER, store.holder);
      expect(await store.leases.take(LEADER, 'another', 60_000)).toBe(true);
      while ((await prolonged.mock.results.at(-1)?.value) !== false) {
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

  describe('a recovery', () => {
    const ended = new Error('ended');
    let isRecovering: Promise<void>;

    /** It goes on until it is ended. */
    beforeEach(() => {
      goOn();
      isRecovering = new Promise((resolve) => {
        store.blobs.aside = async function* () {
          for (; ; await delay(5)) {
            yield { digest: 'ee'.repeat(32), bytes: 1, reason: 'orphan' as const };
            resolve();
          }
        };
      });
    });

    test('ends when its server is stopped, and lets go of its lease', async () => {
      const starting = housekeeping.start();
      const refused = expect(starting).rejects.toThrow('the server stops');
      await isRecovering;
      await housekeeping.stop();
      expect(await lease()).toBeUndefined();
      await refused;
    });

    test('of a start ends with that, and lets go of its lease', async () => {
      const start = new AbortController();
      const starting = housekeeping.start(start.signal);
      const refused = expect(starting).rejects.toBe(ended);
      await isRecovering;
      start.abort(ended);
      await refused;
      expect(await lease()).toBeUndefined();
    });

    test('that fails lets go of its lease', async () => {
      store.blobs.aside = () => {
        throw ended;
      };
      await expect(housekeeping.start()).rejects.toBe(ended);
      expect(await lease()).toBeUndefined();
    });
  });

  test('what is withdrawn while a leader recovers is erased, though who withdrew it was killed', async () => {
    goOn();
    const { id, segment } = await (await Giver.of(store)).give(1);
    const { blobs, blobRecords, contributions } = store;
    const findAll = blobRecords.findAll.bind(blobRecords);
    blobRecords.findAll = async (digests) => {
      const found = await findAll(digests);
      const erased = jest.spyOn(blobs, 'erase').mockResolvedValue();
      await contributions.withdraw(id);
      erased.mockRestore();
      return found;
    };
    await housekeeping.start();
    expect(await blobs.size(segment)).toBeUndefined();
  });

  test('a leader collects nothing more once another leads', async () => {
    goOn();
    for (const digest of ['aa'.repeat(32), 'bb'.repeat(32), 'cc'.repeat(32)])
      await store.blobRecords.add({ digest, kind: 'bundle-file', bytes: 5, owner: 'north' });
    await changeRows(store.catalog, sql`UPDATE blobs SET stored = '2020-01-01T00:00:00.000Z'`);
    const forget = store.blobRecords.forgetUnused.bind(store.blobRecords);
    store.blobRecords.forgetUnused = async (...named) => {
      const isForgotten = await forget(...named);
      await changeRows(
        store.catalog,
        sql`UPDATE leases SET holder = 'another'
        WHERE name = ${LEADER}`,
      );
      while (housekeeping.isLeading) {
        jest.advanceTimersByTime(10_000);
        await delay(20);
      }
      return isForgotten;
    };
    await housekeeping.start();
    const kept: string[] = [];
    for await (const { digest } of store.blobRecords.all()) kept.push(digest);
    expect(kept).toHaveLength(2);
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
});

/** Of a process of its own. */
function housekeepingOf({ isShared }: { isShared: boolean }): Housekeeping {
  const own = Object.getOwnPropertyDescriptors({ isShared, holder: randomUUID() });
  const seen = Object.create(store, own) as Store;
  return new Housekeeping(seen, DEFAULT_LIMITS, pino({ level: 'silent' }));
}

describe('the leader of a store', () => {
  test('is whoever serves it alone, from the start on', async () => {
    const alone = housekeepingOf({ isShared: false });
    expect(alone.isLeading).toBe(false);
    await alone.start();
    expect(alone.isLeading).toBe(true);
    await alone.stop();
  });

  test('is one of several, and another once it was stopped', async () => {
    const first = housekeepingOf({ isShared: true });
    const second = housekeepingOf({ isShared: true });
    await first.start();
    await second.start();
    expect([first.isLeading, second.isLeading]).toEqual([true, false]);
    await first.stop();
    await second.stop();
    expect(first.isLeading).toBe(false);
    const third = housekeepingOf({ isShared: true });
    await third.start();
    expect(third.isLeading).toBe(true);
    await third.stop();
  });

  test('takes itself for one no longer than others have to', async () => {
    const leader = housekeepingOf({ isShared: true });
    await leader.start();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + MINUTE_MS);
    expect(leader.isLeading).toBe(false);
    clock.mockRestore();
    await leader.stop();
  });
});
