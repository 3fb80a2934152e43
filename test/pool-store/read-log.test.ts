import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readLog } from '../../pool-store/read-log.js';
import { CATALOG_FILE, Store } from '../../pool-store/store.js';
import { allOf } from './log-entries.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-read-log-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('the log of a lost store is read to its end, and refused where its catalog ends before what was committed', async () => {
  const directory = join(root, 'store');
  const store = await Store.open(directory);
  await store.tokens.create({ role: 'admin', name: 'operator' });
  await store.catalog.copyTo(join(root, 'older.db'));
  await store.tokens.create({ role: 'institution', name: 'north' });
  const entries = await allOf(store.log.all());
  await store.close();
  expect(await readLog(directory)).toEqual(entries);
  copyFileSync(join(root, 'older.db'), join(directory, CATALOG_FILE));
  await expect(readLog(directory)).rejects.toEqual(
    expect.objectContaining({
      code: 'store-damaged',
      message: expect.stringMatching(/ends at entry 1 .* lacks entry 2, .* give --log/),
    }),
  );
});
