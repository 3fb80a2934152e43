import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CatalogTransaction } from '../../../pool-store/catalog/catalog.js';
import { send, together } from '../../../pool-store/catalog/together.js';
import type { Store } from '../../../pool-store/store.js';
import { openStore } from '../opened-store.js';

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-together-'));
  store = await openStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const insert = (transaction: CatalogTransaction, name: string, ends = 1) =>
  transaction.insertInto('leases').values({ name, holder: 'h', ends }).compile();
const names = (transaction: CatalogTransaction) =>
  transaction.selectFrom('leases').select('name').orderBy('name').compile();
const kept = async () =>
  (await store.catalog.read.selectFrom('leases').select('name').execute()).map(({ name }) => name);
const refused = expect.objectContaining({ message: expect.stringMatching(/constraint|23505/i) });

test('statements that are sent together are answered in their order, each after those before it', async () => {
  const found = await store.catalog.write(async (transaction) => {
    const [first, , second] = await together(
      transaction,
      names(transaction),
      insert(transaction, 'a'),
      names(transaction),
    );
    return [first.rows, second.rows];
  });
  expect(found).toEqual([[], [{ name: 'a' }]]);
});

test('the first that fails undoes all, and is what is thrown', async () => {
  const failing = store.catalog.write((transaction) =>
    together(
      transaction,
      insert(transaction, 'a'),
      insert(transaction, 'a'),
      insert(transaction, 'b'),
    ),
  );
  await expect(failing).rejects.toEqual(refused);
  expect(await kept()).toEqual([]);
  await store.catalog.write((transaction) => together(transaction, insert(transaction, 'c')));
  expect(await kept()).toEqual(['c']);
});

test('what is sent without waiting is there when the transaction has ended, and undoes it where it fails', async () => {
  await store.catalog.write(async (transaction) => {
    await send(transaction, insert(transaction, 'a'), insert(transaction, 'b'));
  });
  expect((await kept()).sort()).toEqual(['a', 'b']);
  const failing = store.catalog.write(async (transaction) => {
    await send(transaction, insert(transaction, 'c'), insert(transaction, 'a'));
    return 'done';
  });
  await expect(failing).rejects.toEqual(refused);
  expect((await kept()).sort()).toEqual(['a', 'b']);
});

test('work that fails after it has sent something leaves nothing of it', async () => {
  const failing = store.catalog.write(async (transaction) => {
    await send(transaction, insert(transaction, 'a'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await kept()).toEqual([]);
});

test('a failure that nobody heard is not committed', async () => {
  const failing = store.catalog.write(async (transaction) => {
    await send(transaction, insert(transaction, 'a'));
    await together(transaction, insert(transaction, 'a')).catch(() => {});
  });
  // SQLite undoes the statement alone, PostgreSQL the transaction, and says so.
  if (!store.catalog.isShared) return void (await failing);
  await expect(failing).rejects.toEqual(expect.objectContaining({ code: 'internal' }));
  expect(await kept()).toEqual([]);
});
