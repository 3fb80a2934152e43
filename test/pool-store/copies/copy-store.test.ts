import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { type CopyPlace, copyStore } from '../../../pool-store/copies/copy-store.js';
import { Store } from '../../../pool-store/store.js';
import { changeRows } from '../changed-rows.js';
import {
  BLOBS,
  checked,
  contentOf,
  copied,
  furnish,
  look,
  MODEL,
  SOUND,
  serve,
} from '../copied-stores.js';
import { Buckets, KINDS, type Kind, kindOf } from '../copy-places.js';
import { allOf } from '../log-entries.js';
import { SERVER } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

if (SERVER === undefined)
  process.stderr.write('skipped: copies to and from PostgreSQL, which make test-scale starts\n');

const coded = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

let root: string;
let buckets: Buckets;
let number = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copies-'));
  buckets = await Buckets.open(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newPlaceOf = (kind: Kind) => buckets.placeOf(kind, `store-${++number}`);

describe.each(KINDS)('a copy of a store in $name', (kind) => {
  let from: CopyPlace;
  let content: unknown;

  beforeAll(async () => {
    from = await newPlaceOf(kind);
    await furnish(from);
    content = await contentOf(from);
  });

  test.each(KINDS)('into $name has the same rows and blobs, and can be served', async (other) => {
    const to = await newPlaceOf(other);
    const made = await copied(from, to);
    expect(made).toEqual(
      expect.objectContaining({ blobs: BLOBS, copied: BLOBS, damaged: [], isInPlace: false }),
    );
    await (await serve(to)).close();
    // Once more nothing is copied, and nothing is there twice.
    expect(await copied(from, to)).toEqual({ ...made, copied: 0 });
    expect(await checked(to)).toEqual(expect.objectContaining(SOUND));
    expect(await contentOf(to)).toEqual(content);
  });
});

const onPostgres = SERVER === undefined ? test.skip : test;
onPostgres('records alone move within a directory, to PostgreSQL and back', async () => {
  const home = await newPlaceOf(kindOf('SQLite and disk'));
  await furnish(home);
  const content = await contentOf(home);
  const inside = {
    ...(await newPlaceOf(kindOf('PostgreSQL and disk'))),
    directory: home.directory,
  };
  expect(await copied(home, inside)).toEqual(
    expect.objectContaining({ blobs: BLOBS, copied: 0, isInPlace: true }),
  );
  expect(await contentOf(inside)).toEqual(content);
  await look(inside, async (store) => (await Giver.of(store, 'south')).give(7, MODEL));
  // What went on in PostgreSQL is not overwritten, nor what is older served.
  await expect(copied(home, inside)).rejects.toEqual(coded('store-damaged', /older copy/));
  await copied(inside, home);
  expect(await checked(home)).toEqual(expect.objectContaining({ ...SOUND, blobs: BLOBS + 1 }));
});

onPostgres('records are not moved within a database, nor into one that is served', async () => {
  const from = await newPlaceOf(kindOf('PostgreSQL and a bucket'));
  await furnish(from);
  const other = await newPlaceOf(kindOf('PostgreSQL and disk'));
  await expect(copied(from, { ...other, catalog: from.catalog })).rejects.toEqual(
    coded('conflict', /the same catalog/),
  );
  const served = await serve(other);
  await served.leases.take('housekeeping', 'a server', 60_000);
  const elsewhere = { ...other, directory: join(root, `store-${++number}`) };
  await expect(copied(from, elsewhere)).rejects.toEqual(coded('store-busy', /in use/));
  await served.close();
});

describe('a copy', () => {
  let from: CopyPlace;
  let to: CopyPlace;
  let given: { id: string; segment: string }[];
  let store: Store;

  beforeEach(async () => {
    from = await newPlaceOf(kindOf('SQLite and disk'));
    to = await newPlaceOf(kindOf('SQLite and a bucket'));
    given = await furnish(from);
    store = await Store.open(from.directory);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
  });

  const give = (seed: number) => Giver.of(store, 'south').then((south) => south.give(seed, MODEL));

  test('of a store that is served is as of one moment, says so, and is brought up to date later', async () => {
    await store.close();
    store = await serve(from);
    const { size } = store.blobs;
    // One that is withdrawn before its turn comes, and one that comes meanwhile.
    jest.spyOn(store.blobs, 'size').mockImplementationOnce(async (digest) => {
      await store.contributions.withdraw(given[0].id);
      await give(5);
      return digest === given[0].segment ? undefined : size.call(store.blobs, digest);
    });
    const first = await copyStore(store, to);
    expect(first).toEqual(expect.objectContaining({ damaged: [], isServed: true }));
    await give(6);
    await store.close();
    store = await Store.open(from.directory);
    expect(await copyStore(store, to)).toEqual(
      expect.objectContaining({ blobs: BLOBS + 1, isServed: false }),
    );
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  test('names what is damaged at the source, and takes it once that is mended', async () => {
    const path = join(from.directory, 'blobs', given[2].segment.slice(0, 2), given[2].segment);
    const whole = Buffer.concat(await allOf(store.blobs.read(given[2].segment)));
    writeFileSync(path, 'x'.repeat(whole.length));
    expect(await copyStore(store, to)).toEqual(
      expect.objectContaining({ blobs: BLOBS - 1, damaged: [given[2].segment] }),
    );
    writeFileSync(path, whole);
    expect(await copyStore(store, to)).toEqual(
      expect.objectContaining({ blobs: BLOBS, copied: 1, damaged: [] }),
    );
  });

  test('reads what was copied before, and copies anew what is not what its name says', async () => {
    to = await newPlaceOf(kindOf('SQLite and disk'));
    await copyStore(store, to);
    const { segment } = given[3];
    writeFileSync(join(to.directory, 'blobs', segment.slice(0, 2), segment), 'damaged');
    await copyStore(store, to);
    expect(await checked(to)).toEqual(expect.objectContaining(SOUND));
  });

  test('is not made over files, another store, or one that has gone on by itself', async () => {
    const refused = async (place: CopyPlace, message: RegExp) =>
      expect(copyStore(store, place)).rejects.toEqual(coded('conflict', message));
    mkdirSync(to.directory);
    writeFileSync(join(to.directory, 'note'), 'x');
    await refused(to, /name an empty directory/);
    expect(existsSync(join(to.directory, 'serve.lock'))).toBe(false);

    const other = await newPlaceOf(kindOf('SQLite and disk'));
    await furnish(other);
    await refused(other, /name an empty directory/);
    await refused(from, /the same store/);

    const taken = await newPlaceOf(kindOf('SQLite and a bucket'));
    await copied(other, taken);
    await refused(taken, /another store/);
    const beside = await newPlaceOf(kindOf('SQLite and disk'));
    await refused({ ...beside, blobs: taken.blobs }, /holds objects/);

    const gone = await newPlaceOf(kindOf('SQLite and disk'));
    await copyStore(store, gone);
    await look(gone, async (copy) => (await Giver.of(copy, 'south')).give(9, MODEL));
    await refused(gone, /later time/);
    await refused({ ...gone, blobs: buckets.empty }, /the same places/);
  });

  test('is not made into a directory that is served, nor in the place of a store that is', async () => {
    await copyStore(store, to);
    const served = await serve(to);
    await expect(copyStore(store, to)).rejects.toEqual(coded('store-busy'));
    const beside = await newPlaceOf(kindOf('SQLite and a bucket'));
    await expect(copied(to, { ...beside, blobs: to.blobs })).rejects.toEqual(
      coded('store-busy', /is being served/),
    );
    await served.close();
  });

  test('is not made of a store whose log is broken, or whose catalog is older than its blobs', async () => {
    await store.catalog.copyTo(join(root, 'older.db'));
    await give(8);
    await changeRows(store.catalog, sql`UPDATE log SET subject = 'x' WHERE sequence = 2`);
    await expect(copyStore(store, to)).rejects.toEqual(coded('store-damaged', /entry 2/));
    await changeRows(store.catalog, sql`DELETE FROM log WHERE sequence > 5`);
    await expect(copyStore(store, to)).rejects.toEqual(coded('store-damaged', /older copy/));
  });

  test('of a backup has what that holds', async () => {
    await backupStore(store, join(root, 'backup'));
    const backup = await Store.open(join(root, 'backup'));
    expect(await copyStore(backup, to)).toEqual(expect.objectContaining({ blobs: BLOBS }));
    await backup.close();
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });
});
