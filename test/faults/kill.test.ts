import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { restoreStore } from '../../pool-store/copies/restore.js';
import { recover } from '../../pool-store/recovery.js';
import type { Store } from '../../pool-store/store.js';
import { verifyStore } from '../../pool-store/verify.js';
import { DEFAULT_LIMITS } from '../../services/http/limits.js';

import { allOf } from '../pool-store/log-entries.js';
import { openStore } from '../pool-store/opened-store.js';
import { endAfterTests } from '../services/left-over.js';
import { spawnServe } from '../services/serve-process.js';
import { createWorld, type World } from '../services/world.js';
import { PoolDriver, type Promises } from './pool-driver.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
const ROUNDS = Number(process.env.TACET_FAULT_ROUNDS ?? 40);
/** A round ends after so many answers at most, and a moment more: what it covers is no matter of speed. */
const MOST_ANSWERS = 16;
const LATEST_KILL_MS = 60;
const ROUNDS_A_BACKUP = 4;
/** A backup of a store that is at work takes longer than one of an empty store that is not. */
const SLOWER = 4;
const SECONDS_A_ROUND = 60;
const ROUNDS_A_LINE = 50;

let world: World;
let driver: PoolDriver;
beforeAll(async () => {
  world = await createWorld();
  driver = new PoolDriver(world);
});
afterAll(() => {
  world.remove();
  for (const name of ['backup', 'restored']) {
    rmSync(`${world.data}-${name}`, { recursive: true, force: true });
  }
});

/** A backup in a process of its own; returns how to kill it, which says whether it was done by then. */
function beginBackup(): (afterMs: number) => Promise<boolean> {
  const startMs = performance.now();
  const args = ['store', 'backup', '--data', world.data, '--out', backupDirectory()];
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  exited.finally(endAfterTests(() => child.kill('SIGKILL')));
  return async (afterMs) => {
    const leftMs = Math.max(0, afterMs - (performance.now() - startMs));
    const timer = leftMs < Infinity ? setTimeout(() => child.kill('SIGKILL'), leftMs) : undefined;
    const [code] = await exited;
    clearTimeout(timer);
    return code === 0;
  };
}

const backupDirectory = () => `${world.data}-backup`;

async function inStore<T>(directory: string, look: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await openStore(directory);
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** Every promise is kept, and what was not promised is there whole or not at all. */
async function checkPromises(store: Store, promises: Promises): Promise<void> {
  const { contributions, withdrawalsBegun, withdrawn, snapshots } = promises;
  const found = new Map((await store.contributions.list()).map((one) => [one.id, one]));
  for (const [id, segment] of contributions) {
    const isWithdrawn = found.get(id)?.withdrawn !== null;
    if (withdrawn.has(id)) expect(isWithdrawn).toBe(true);
    else if (!withdrawalsBegun.has(id))
      expect({ id, isWithdrawn }).toEqual({ id, isWithdrawn: false });
    expect((await store.blobs.size(segment)) === undefined).toBe(isWithdrawn);
  }
  for (const one of found.values()) {
    expect(one.segments).toBe((await store.contributions.segmentsOf(one.id)).length);
  }
  for (const [id, segments] of snapshots)
    expect((await store.snapshots.get(id)).segments).toEqual(segments);
  expect(await verifyStore(store)).toEqual(
    expect.objectContaining({
      damaged: [],
      missing: [],
      notErased: [],
      affected: [],
      catalog: [],
      logBrokenAt: null,
    }),
  );
}

/** What is on disk right after the kill, before any recovery: enough for every promise. */
async function checkUntouched(): Promise<void> {
  await inStore(world.data, async (store) => {
    const found = await verifyStore(store);
    expect(found).toEqual(
      expect.objectContaining({ damaged: [], missing: [], catalog: [], logBrokenAt: null }),
    );
  });
}

async function checkBackup(): Promise<void> {
  if (!existsSync(join(backupDirectory(), 'catalog.db'))) return;
  await inStore(backupDirectory(), async (store) => {
    const found = await verifyStore(store);
    expect(found).toEqual(expect.objectContaining({ damaged: [], missing: [], catalog: [] }));
  });
}

/** Killed rounds leave old snapshots behind; only the newest are compared, so rounds stay short. */
function forgetOldSnapshots({ snapshots }: Promises): void {
  for (const id of [...snapshots.keys()].slice(0, -20)) snapshots.delete(id);
}

/** Hours of killing show how far they came. */
function report(rounds: number, backups: object): void {
  process.stderr.write(`${JSON.stringify({ rounds, ...driver.answered, backups })}\n`);
}

/**
 * One round: a server at work, and sometimes a backup, both killed at an instant. Neither is left,
 * however the round ends. Returns whether the backup was done, undefined where none was begun.
 */
async function killAtWork(round: number, longestBackupMs: number): Promise<boolean | undefined> {
  const server = await spawnServe(world.data, {
    // An upload whose creation was done and not answered is known to nobody.
    environment: {
      TACET_SERVE_OPEN_UPLOADS: String(DEFAULT_LIMITS.openUploads + 2 * ROUNDS),
    },
  });
  const end = new AbortController();
  const working = driver.work(server.addresses.pool, end.signal);
  const killBackup = round % ROUNDS_A_BACKUP === 0 ? beginBackup() : undefined;
  try {
    await Promise.race([driver.answers(randomInt(MOST_ANSWERS), end.signal), working]);
    await delay(randomInt(LATEST_KILL_MS));
    return await killBackup?.(randomInt(Math.ceil(longestBackupMs)));
  } finally {
    end.abort();
    await server.kill();
    await killBackup?.(0);
    await working;
  }
}

describe('a pool', () => {
  test(
    `that is killed ${ROUNDS} times at random instants keeps every promise`,
    async () => {
      const backups = { begun: 0, done: 0 };
      const startMs = performance.now();
      await beginBackup()(Number.POSITIVE_INFINITY);
      const backupMs = performance.now() - startMs;
      for (let round = 0; round < ROUNDS; round++) {
        const backup = await killAtWork(round, SLOWER * backupMs);
        backups.begun += Number(backup !== undefined);
        backups.done += Number(backup ?? false);
        forgetOldSnapshots(driver.promises);
        await checkUntouched();
        await checkBackup();
        await inStore(world.data, async (store) => {
          await store.openUploads.recover();
          await recover(store);
          await checkPromises(store, driver.promises);
        });
        if ((round + 1) % ROUNDS_A_LINE === 0) report(round + 1, backups);
      }
      if (ROUNDS >= 40) {
        expect(Math.min(...Object.values(driver.answered), backups.done)).toBeGreaterThan(0);
      }
      if (ROUNDS % ROUNDS_A_LINE !== 0) report(ROUNDS, backups);
    },
    ROUNDS * SECONDS_A_ROUND * 1000,
  );

  test('is restored from the last whole backup without what was withdrawn since', async () => {
    if (!existsSync(join(backupDirectory(), 'catalog.db'))) return;
    const later = await inStore(world.data, (store) => allOf(store.log.all()));
    const kept = await inStore(backupDirectory(), (store) => store.contributions.list());
    await restoreStore(backupDirectory(), `${world.data}-restored`, { later });
    await inStore(`${world.data}-restored`, async (store) => {
      const found = await store.contributions.list();
      expect(found.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
      for (const { id, withdrawn } of found) {
        if (driver.promises.withdrawn.has(id)) expect(withdrawn).not.toBeNull();
      }
      expect((await verifyStore(store)).missing).toEqual([]);
    });
  });
});
