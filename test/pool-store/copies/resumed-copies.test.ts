import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { digestOf } from '../../../pool-store/blobs/digest-of.js';
import type { CopyPlace } from '../../../pool-store/copies/copy-store.js';
import { Store } from '../../../pool-store/store.js';
import {
  BLOBS,
  checked,
  contentOf,
  copied,
  furnish,
  look,
  MODEL,
  rowsOf,
  SOUND,
  serve,
} from '../copied-stores.js';
import { Buckets, copyKilled, KINDS, kindOf } from '../copy-places.js';
import { allOf } from '../log-entries.js';
import { SERVER } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

if (SERVER === undefined)
  process.stderr.write('skipped: copies to and from PostgreSQL, which make test-scale starts\n');

let root: string;
let buckets: Buckets;
let number = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copies-'));
  buckets = await Buckets.open(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newPlaceOf = (kind: string): Promise<CopyPlace> =>
  buckets.placeOf(kindOf(kind), `store-${++number}`);

const PATHS: readonly (readonly [string, string])[] = [
  ['SQLite and disk', 'SQLite and disk'],
  ['SQLite and disk', 'SQLite and a bucket'],
  ['SQLite and disk', 'PostgreSQL and a bucket'],
  ['PostgreSQL and a bucket', 'SQLite and disk'],
];
const canHave = (name: string) => KINDS.includes(kindOf(name));

test.each(
  PATHS.filter((path) => path.every(canHave)).flatMap((path) =>
    (['copy', 'verify'] as const).map((step) => [...path, step] as const),
  ),
)('a copy from %s into %s that is killed at half of its %s goes on', async (one, other, step) => {
  const [from, to] = [await newPlaceOf(one), await newPlaceOf(other)];
  const given = await furnish(from);
  const plan = { from: from.directory, catalog: from.catalog, to };
  await copyKilled({ ...plan, step, done: BLOBS / 2 });
  await expect(serve(to)).rejects.toThrow(/copy .* begun and not ended/);
  // What is withdrawn in between is in no copy, though its bytes were there already.
  await look(from, (store) => store.contributions.withdraw(given[0].id));
  const made = await copied(from, to);
  expect(made).toEqual(expect.objectContaining({ blobs: BLOBS - 1, damaged: [] }));
  expect(made.copied).toBeLessThan(step === 'copy' ? BLOBS - 2 : 1);
  expect(await checked(to)).toEqual(expect.objectContaining({ ...SOUND, blobs: BLOBS - 1 }));
  expect(await contentOf(to)).toEqual(await contentOf(from));
});

const FAR = `${SERVER === undefined ? 'SQLite' : 'PostgreSQL'} and a bucket`;
test(`from SQLite and disk to ${FAR} and back nothing is lost`, async () => {
  const [first, far, last] = [
    await newPlaceOf('SQLite and disk'),
    await newPlaceOf(FAR),
    await newPlaceOf('SQLite and disk'),
  ];
  await furnish(first);
  await copied(first, far);
  await copied(far, last);
  const [before, after] = [await Store.open(first.directory), await Store.open(last.directory)];
  const rows = await rowsOf(before.catalog.read);
  expect(rows.fingerprints?.length).toBeGreaterThan(0);
  expect(await rowsOf(after.catalog.read)).toEqual(rows);
  expect(await allOf(after.blobs.digests())).toHaveLength(BLOBS);
  for await (const digest of before.blobs.digests())
    expect(await digestOf(after.blobs.read(digest))).toBe(digest);
  for (const store of [before, after]) await store.close();
  await look(last, async (store) => (await Giver.of(store, 'south')).give(7, MODEL));
});
