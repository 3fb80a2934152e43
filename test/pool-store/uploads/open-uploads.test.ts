import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Store } from '../../../pool-store/store.js';
import type { Holdings } from '../../../pool-store/uploads/open-uploads.js';
import { openStore } from '../opened-store.js';

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-open-uploads-'));
  store = await openStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const create = (id: string, admit: (holdings: Holdings) => void) =>
  store.openUploads.create(
    { id, size: 10, digest: 'ab'.repeat(32), kind: 'segment', owner: 'token', holder: 'north' },
    admit,
  );

test('uploads that begin at once are each admitted beside those before it', async () => {
  const full = new Error('full');
  const seen: number[] = [];
  const admit = ({ open }: Holdings) => {
    seen.push(open.length);
    if (open.length >= 3) throw full;
  };
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map((id) => create(id, admit)),
  );
  expect(seen.sort()).toEqual([0, 1, 2, 3, 3]);
  const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(reasons).toEqual([full, full]);
  const open = await store.openUploads.all();
  expect(open).toHaveLength(3);
  expect(open.every(({ offset, size }) => offset === 0 && size === 10)).toBe(true);
  await Promise.all(open.map(({ id }) => store.openUploads.remove(id)));
  expect(await store.openUploads.all()).toEqual([]);
});

test('those that end at once take their own parts with them', async () => {
  for (const id of ['a', 'b']) await create(id, () => {});
  for (const id of ['a', 'b']) {
    const upload = await store.openUploads.find(id);
    const incoming = await store.openUploads.receive(upload as NonNullable<typeof upload>, 4);
    writeFileSync(incoming.path, 'half');
    await incoming.keep(4);
    await incoming.discard();
  }
  expect((await store.openUploads.all()).map(({ offset }) => offset)).toEqual([4, 4]);
  await Promise.all(['a', 'b'].map((id) => store.openUploads.remove(id)));
  expect(await store.openUploads.all()).toEqual([]);
  const left: string[] = [];
  for await (const { key } of store.blobs.parts?.list() ?? []) left.push(key);
  expect(left).toEqual([]);
});
