import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { Leases } from '../../../pool-store/catalog/leases.js';
import type { Store } from '../../../pool-store/store.js';
import { raiseVersion } from '../catalog-version.js';
import { changeRows } from '../changed-rows.js';
import { describeOnPostgres, openStore } from '../opened-store.js';

let directory: string;
let stores: Store[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-many-'));
  stores = [];
  for (const _ of [1, 2, 3, 4]) stores.push(await openStore(directory));
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('a catalog that several open at once', () => {
  test('takes every change of sixteen clients into one chain', async () => {
    const clients = Array.from({ length: 16 }, async (_, client) => {
      const { catalog, log } = stores[client % stores.length];
      for (let change = 0; change < 25; change++)
        await catalog.write((transaction) => log.append(transaction, 'tried', `${client}`));
    });
    await Promise.all(clients);
    const { log } = stores[0];
    expect((await log.head()).sequence).toBe(400);
    expect(await log.firstBroken()).toBeUndefined();
    expect(await stores[3].lostHead()).toBeUndefined();
  });

  test('shows nobody what is not committed, nor keeps anything of what failed', async () => {
    const [writer, reader] = stores;
    let seen: number | undefined;
    const failing = writer.catalog.write(async (transaction) => {
      await writer.log.append(transaction, 'tried', 'x');
      seen = (await reader.log.head()).sequence;
      expect((await writer.log.head()).sequence).toBe(0);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([seen, (await reader.log.head()).sequence]).toEqual([0, 0]);
  });

  test('lets nobody write by reading', async () => {
    const { catalog, tokens } = stores[0];
    const { id } = await tokens.create({ role: 'admin', name: 'kept' });
    await sql`DELETE FROM tokens`.execute(catalog.read).catch(() => {});
    expect((await stores[1].tokens.get(id)).name).toBe('kept');
  });
});

describeOnPostgres('the areas of a catalog', () => {
  test('are written apart: leases while records are, and no other records', async () => {
    const [one, other] = stores;
    const done: string[] = [];
    const [begun, written] = [gate(), gate()];
    const writing = one.catalog.write(async (transaction) => {
      await one.log.append(transaction, 'tried', 'x');
      begun.open();
      await written.opened;
      done.push('first');
    });
    await begun.opened;
    const waiting = other.catalog.write(async (transaction) => {
      await other.log.head(transaction);
      done.push('second');
    });
    const isTaken = await other.leases.take('tidying', 'other', 60_000);
    const before = [...done];
    written.open();
    await Promise.all([writing, waiting]);
    expect({ isTaken, before, done }).toEqual({
      ...{ isTaken: true, before: [] },
      done: ['first', 'second'],
    });
  });
});

describe('a lease', () => {
  test('is of one holder, who may prolong it and let go of it', async () => {
    const [one, other] = stores.map(({ catalog }) => new Leases(catalog));
    expect(await one.take('tidying', 'one', 60_000)).toBe(true);
    expect(await other.take('tidying', 'other', 60_000)).toBe(false);
    expect(await other.take('counting', 'other', 60_000)).toBe(true);
    expect(await one.take('tidying', 'one', 60_000)).toBe(true);
    await other.release('tidying', 'other');
    expect(await other.take('tidying', 'other', 60_000)).toBe(false);
    await one.release('tidying', 'one');
    expect(await other.take('tidying', 'other', 60_000)).toBe(true);
  });

  test('goes to whoever asks first once its time is up', async () => {
    const [one, other] = stores.map(({ catalog }) => new Leases(catalog));
    expect(await one.take('tidying', 'one', 0)).toBe(true);
    const taken = await Promise.all([
      one.take('tidying', 'one', 60_000),
      other.take('tidying', 'other', 60_000),
    ]);
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
  });

  test('is prolonged while its work lasts', async () => {
    const [one, other] = stores.map(({ catalog }) => new Leases(catalog));
    await one.take('tidying', 'one', 3000);
    const taken = await one.prolonged('tidying', 'one', 3000, async () => {
      for (const end = performance.now() + 5000; performance.now() < end; await delay(100))
        if (await other.take('tidying', 'other', 60_000)) return true;
      return false;
    });
    expect(taken).toBe(false);
  });

  test('that another has says so to the work that goes on', async () => {
    const [one, other] = stores.map(({ catalog }) => new Leases(catalog));
    await one.take('tidying', 'one', 300);
    await one.prolonged('tidying', 'one', 300, async (lost) => {
      while (!(await other.take('tidying', 'other', 60_000))) await one.release('tidying', 'one');
      while (!lost.aborted) await delay(10);
    });
    expect(await one.take('tidying', 'one', 300)).toBe(false);
  });

  test('is prolonged one time after another, however long each takes', async () => {
    const [one] = stores.map(({ catalog }) => new Leases(catalog));
    let [running, most, times] = [0, 0, 0];
    one.prolong = async () => {
      most = Math.max(most, ++running);
      await delay(600);
      running--;
      times++;
      return true;
    };
    await one.prolonged('tidying', 'one', 2400, async () => {
      while (times < 2) await delay(10);
    });
    expect(most).toBe(1);
  });

  test('that another took and let go of is lost, though it is free', async () => {
    const [one, other] = stores.map(({ catalog }) => new Leases(catalog));
    await one.take('tidying', 'one', 600);
    await one.prolonged('tidying', 'one', 600, async (lost) => {
      await changeRows(stores[0].catalog, sql`UPDATE leases SET holder = 'other'`);
      await other.release('tidying', 'other');
      while (!lost.aborted) await delay(10);
    });
    expect(await other.take('tidying', 'other', 60_000)).toBe(true);
  });

  test('that cannot be prolonged for as long as it lasts is lost', async () => {
    const [one] = stores.map(({ catalog }) => new Leases(catalog));
    await one.take('tidying', 'one', 300);
    one.prolong = () => Promise.reject(new Error('away'));
    await one.prolonged('tidying', 'one', 300, async (lost) => {
      while (!lost.aborted) await delay(10);
    });
  });

  test('is lost where a newer program has changed the catalog', async () => {
    const [one] = stores.map(({ catalog }) => new Leases(catalog));
    await one.take('tidying', 'one', 60_000);
    await raiseVersion(directory, 1);
    const reason = await one.prolonged('tidying', 'one', 600, async (lost) => {
      while (!lost.aborted) await delay(10);
      return lost.reason;
    });
    expect(reason).toEqual(expect.objectContaining({ code: 'store-version' }));
  });
});
