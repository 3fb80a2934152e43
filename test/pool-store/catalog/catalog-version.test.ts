import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Store } from '../../../pool-store/store.js';
import { raiseVersion } from '../catalog-version.js';
import { openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

const newer = expect.objectContaining({
  code: 'store-version',
  status: 503,
  message: expect.stringMatching(/Upgrade this program/),
});

describe('a server beside one of a newer version', () => {
  let directory: string;
  let store: Store;
  let north: Giver;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tacet-version-'));
    store = await openStore(directory);
    north = await Giver.of(store);
    await north.give(1);
    await raiseVersion(directory, 1);
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test('writes nothing, in no area, and goes on reading', async () => {
    const head = await store.log.head();
    await expect(north.give(2)).rejects.toEqual(newer);
    await expect(store.tokens.create({ role: 'admin', name: 'late' })).rejects.toEqual(newer);
    await expect(store.leases.take('tidying', 'late', 1000)).rejects.toEqual(newer);
    const write = store.catalog.write(async () => undefined, 'uploads');
    await expect(write).rejects.toEqual(newer);
    await expect(store.catalog.requireKnown()).rejects.toEqual(newer);
    expect(await store.log.head()).toEqual(head);
    expect(await store.contributions.list()).toHaveLength(1);
  });

  test('leaves no transaction open that would hold others up', async () => {
    const refused = Array.from({ length: 8 }, () => store.catalog.write(async () => undefined));
    expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(
      refused.map(() => 'rejected'),
    );
    await raiseVersion(directory, -1);
    await Promise.all([2, 3].map((seed) => north.give(seed)));
    expect(await store.contributions.list()).toHaveLength(3);
  });

  test('is refused when it starts again', async () => {
    await expect(openStore(directory)).rejects.toEqual(newer);
  });
});
