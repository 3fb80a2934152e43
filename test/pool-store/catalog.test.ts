import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { Leases } from '../../pool-store/leases.js';
import type { Store } from '../../pool-store/store.js';
import { openStore } from './opened-store.js';

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
});
