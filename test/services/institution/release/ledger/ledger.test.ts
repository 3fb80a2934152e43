import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../../../platform/sqlite/database.js';
import { stateFolder } from '../../../../../platform/user-folders.js';
import { Ledger, type Release } from '../../../../../services/institution/release/ledger/ledger.js';
import { TO_9 } from '../earlier-ledger.js';

const MODEL = 'a'.repeat(64);
const NOTHING_STATED = {
  ...{ maxAlike: null, labelDocuments: null, suspects: null },
  ...{ entities: 'kept' as const, keptTypes: null },
};

const segment = (digest: string) => ({
  digest,
  model: MODEL,
  scheme: 'b'.repeat(64),
  sentences: 1,
  tokens: 2,
  bytes: 3,
  certified: null,
  inventory: null,
  keptTypes: '',
  copies: 1,
});
/** Makes a ledger of today one of version 3. */
const FROM_3 = `
  ${TO_9}
  DROP TABLE documents;
  DROP TABLE alike;
  ALTER TABLE bounds DROP COLUMN label_documents;
  ALTER TABLE bounds DROP COLUMN max_alike;
  ALTER TABLE bounds DROP COLUMN entities;
  ALTER TABLE segments DROP COLUMN inventory;
  ALTER TABLE segments DROP COLUMN copies;
  ALTER TABLE segments DROP COLUMN kept_types;
  ALTER TABLE bounds DROP COLUMN kept_types;
  DROP TABLE history;
  ALTER TABLE bounds DROP COLUMN neighbours;
  DROP TABLE entities;
  DROP TABLE earlier_entities;
  CREATE TABLE entities (entity BLOB PRIMARY KEY, mean REAL, variance REAL, sentences INTEGER);
`;
const release = (hash: Uint8Array, charges: Release['charges'] = []) => ({
  hash,
  alike: new Uint8Array(0),
  charges,
});

describe('the ledger', () => {
  let home: string;
  const opened: Ledger[] = [];
  const open = async () => {
    const ledger = await Ledger.openOrMake(home);
    opened.push(ledger);
    return ledger;
  };
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tacet-ledger-'));
  });
  afterEach(async () => {
    for (const ledger of opened.splice(0)) ledger.close();
    await rm(home, { recursive: true });
  });

  test('hashes a sequence of rows, whatever the model: other rows and other splits differ', async () => {
    const ledger = await open();
    const hash = (rows: string[]) => ledger.key.hashSentence(rows).toString('hex');
    expect(hash(['w:ana', 'unknown'])).toBe(hash(['w:ana', 'unknown']));
    const others = [
      hash(['w:ana', 'unknown']),
      hash(['unknown', 'w:ana']),
      hash(['w:ana unknown']),
      hash(['w:ana', '', 'unknown']),
    ];
    expect(new Set(others).size).toBe(others.length);
  });

  test('a ledger.db that is no file cannot be written, and is no damaged ledger', async () => {
    await mkdir(join(home, 'ledger.db'));
    await expect(open()).rejects.toMatchObject({ code: 'file-unwritable' });
  });

  test('two institutions hash one sentence differently', async () => {
    const mine = (await open()).key.hashSentence(['w:ana']);
    home = await mkdtemp(join(tmpdir(), 'tacet-ledger-'));
    expect((await open()).key.hashSentence(['w:ana'])).not.toEqual(mine);
  });

  test('counts releases, and remembers them and its key after it is closed', async () => {
    const ledger = await open();
    const hash = ledger.key.hashSentence(['w:ana']);
    expect(ledger.releasesOf(hash)).toBe(0);
    await ledger.exclusively(() =>
      ledger.recordSegment(segment('d'.repeat(64)), [release(hash), release(hash)]),
    );
    ledger.close();
    const again = await open();
    expect(again.key.hashSentence(['w:ana'])).toEqual(hash);
    expect(again.releasesOf(hash)).toBe(2);
    expect(again.segments.pending()).toEqual([segment('d'.repeat(64))]);
  });

  test('adds up what releases reveal of an entity, over segments and restarts', async () => {
    const ledger = await open();
    const [ana, eva] = [['ana'], ['eva']].map((words) =>
      ledger.key.hashEntity(words).toString('hex'),
    );
    const charge = (entity: string, squared: number, isWhole = true) => ({
      ...{ entity, isWhole },
      squared: Float64Array.of(squared, 2 * squared),
    });
    const [a = '', e = ''] = [ana, eva];
    const hash = (word: string) => ledger.key.hashSentence([word]);
    await ledger.recordSegment({ ...segment('d'.repeat(64)), certified: 0.6 }, [
      release(hash('1'), [charge(a, 0.25), charge(e, 1, false)]),
      release(hash('2'), [charge(a, 0.5)]),
    ]);
    ledger.close();
    const again = await open();
    await again.recordSegment({ ...segment('e'.repeat(64)), certified: 0.6 }, [
      release(hash('3'), [charge(a, 0.25)]),
    ]);
    const spent = { squared: Float64Array.of(1, 2), isTold: false };
    expect(again.entities.spentOn(a)).toEqual({ ...spent, sentences: 3, companions: 1 });
    // A word of its name alone stands there.
    expect(again.entities.spentOn(e)).toEqual({ ...spent, sentences: 0, companions: 1 });
    again.entities.recordTold([e, 'f'.repeat(64)]);
    expect(again.entities.spentOn(e)).toEqual({
      ...spent,
      sentences: 0,
      companions: 1,
      isTold: true,
    });
    expect(again.entities.spentOn('f'.repeat(64))).toMatchObject({ sentences: 0, isTold: true });
    expect(again.entities.spentOn('0'.repeat(64))).toMatchObject({ sentences: 0, isTold: false });
    expect(again.isCertified()).toBe(true);
    await again.recordSegment(segment('f'.repeat(64)), []);
    expect(again.isCertified()).toBe(false);
  });

  test.each([
    [
      1,
      `${FROM_3} DROP TABLE bounds; DROP TABLE entities; ALTER TABLE segments DROP COLUMN certified`,
    ],
    [2, `${FROM_3} DROP TABLE bounds`],
  ])('of version %i is taken over, its releases uncertified and unbound', async (version, undo) => {
    const ledger = await open();
    await ledger.recordSegment(segment('d'.repeat(64)), []);
    ledger.close();
    const db = openDatabase(join(home, 'ledger.db'));
    db.exec(undo);
    await rm(join(stateFolder(), 'ledgers', `${ledger.id}.json`));
    db.pragma(`user_version = ${version}`);
    db.close();
    const taken = await open();
    expect(taken.segments.pending()).toEqual([segment('d'.repeat(64))]);
    expect(taken.isCertified()).toBe(false);
    expect(taken.bounds()).toEqual({
      certified: null,
      maxAlike: null,
      labelDocuments: null,
      entities: 'kept',
      keptTypes: null,
      neighbours: null,
      maxReleases: null,
      minDocuments: null,
      suspects: null,
    });
  });

  test('of version 3 is taken over: where it certified, against the N that a policy has by default', async () => {
    const ledger = await open();
    await ledger.recordSegment({ ...segment('d'.repeat(64)), certified: 0.9 }, []);
    ledger.close();
    await rm(join(stateFolder(), 'ledgers', `${ledger.id}.json`));
    const db = openDatabase(join(home, 'ledger.db'));
    db.exec(FROM_3);
    db.pragma('user_version = 3');
    db.close();
    expect((await open()).bounds()).toMatchObject({ certified: 0.9, neighbours: 100 });
  });

  test('of version 3 keeps its bounds, and certifies nothing more once it has certified anything', async () => {
    for (const entity of [undefined, "INSERT INTO entities VALUES (x'01', 1, 1, 1)"]) {
      const ledger = await open();
      await ledger.recordSegment(
        { ...segment(`${entity ? 'e' : 'd'}`.repeat(64)), certified: 0.6 },
        [],
      );
      ledger.close();
      await rm(join(stateFolder(), 'ledgers', `${ledger.id}.json`));
      const db = openDatabase(join(home, 'ledger.db'));
      db.exec(`${FROM_3} ${entity ?? ''}`);
      db.pragma('user_version = 3');
      db.close();
      const taken = await open();
      expect(taken.bounds().certified).toBe(0.6);
      expect(taken.isCertified()).toBe(entity === undefined);
      taken.close();
    }
  });

  test('remembers the strictest bounds that a release kept to', async () => {
    const ledger = await open();
    const stated = [
      { ...NOTHING_STATED, neighbours: null, maxReleases: null, minDocuments: null },
      { ...NOTHING_STATED, neighbours: 100, maxReleases: 2, minDocuments: 5, labelDocuments: 7 },
      { ...NOTHING_STATED, neighbours: 50, maxReleases: 3, minDocuments: 4, labelDocuments: 3 },
      { ...NOTHING_STATED, neighbours: null, maxReleases: null, minDocuments: 9 },
    ];
    const seen = stated.map((bounds) => {
      ledger.recordBounds(bounds);
      return ledger.bounds();
    });
    expect(seen).toMatchObject([
      stated[0],
      stated[1],
      stated[1],
      { ...stated[1], minDocuments: 9 },
    ]);
    for (const [digest, certified] of [
      ['d', 0.7],
      ['e', 0.6],
      ['f', 0.9],
    ] as const)
      await ledger.recordSegment({ ...segment(digest.repeat(64)), certified }, []);
    expect(ledger.bounds().certified).toBe(0.6);
  });

  test('has one name of its own, which no other has', async () => {
    const { id } = await open();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect((await open()).id).toBe(id);
    home = await mkdtemp(join(tmpdir(), 'tacet-ledger-'));
    expect((await open()).id).not.toBe(id);
  });

  test('keeps its key in a file for its owner alone', async () => {
    await open();
    expect((await stat(join(home, 'ledger.key'))).mode & 0o777).toBe(0o600);
  });

  test('takes back all that failed work wrote', async () => {
    const ledger = await open();
    const hash = ledger.key.hashSentence(['w:ana']);
    const failing = ledger.exclusively(async () => {
      await ledger.recordSegment(segment('d'.repeat(64)), [release(hash)]);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect(ledger.releasesOf(hash)).toBe(0);
    expect(ledger.segments.pending()).toEqual([]);
  });

  test('lets one writer decide and commit before the next one reads', async () => {
    const [first, second] = [await open(), await open()];
    const hash = first.key.hashSentence(['w:ana']);
    const take = (ledger: Ledger, digest: string) =>
      ledger.exclusively(async () => {
        if (ledger.releasesOf(hash) > 0) return 'taken';
        await new Promise((resolve) => setTimeout(resolve, 20));
        await ledger.recordSegment(segment(digest.repeat(64)), [release(hash)]);
        return 'released';
      });
    const results = await Promise.all([
      take(first, '1'),
      take(second, '2'),
      take(first, '3'),
      take(second, '4'),
    ]);
    expect(results.sort()).toEqual(['released', 'taken', 'taken', 'taken']);
    expect(first.releasesOf(hash)).toBe(1);
  });

  test('stops waiting for another writer when asked to', async () => {
    const [first, second] = [await open(), await open()];
    let finish = () => {};
    const holding = first.exclusively(() => new Promise<void>((resolve) => (finish = resolve)));
    const controller = new AbortController();
    const waiting = second.exclusively(() => 'never', controller.signal);
    controller.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    finish();
    await holding;
  });

  test('may be made by several callers at once', async () => {
    const ledgers = await Promise.all([open(), open(), open()]);
    const hashes = ledgers.map((ledger) => ledger.key.hashSentence(['w:ana']).toString('hex'));
    expect(new Set(hashes).size).toBe(1);
  });

  test('survives a kill between storing its key and naming it', async () => {
    const hash = (await open()).key.hashSentence(['w:ana']);
    await rename(join(home, 'ledger.key'), join(home, 'ledger.key.new'));
    expect((await open()).key.hashSentence(['w:ana'])).toEqual(hash);
  });

  test.each([
    ['without its key', () => rm(join(home, 'ledger.key'))],
    ['with another key', () => writeFile(join(home, 'ledger.key'), Buffer.alloc(32))],
    ['with another file', () => writeFile(join(home, 'ledger.key'), Buffer.alloc(100))],
    ['of which the key alone is left', () => rm(join(home, 'ledger.db'))],
    ['whose database is no database', () => writeFile(join(home, 'ledger.db'), 'x'.repeat(5000))],
  ])('%s is refused', async (_, damage) => {
    (await open()).close();
    opened.pop();
    await damage();
    await expect(Ledger.openOrMake(home)).rejects.toMatchObject({ code: 'ledger-invalid' });
  });
});
