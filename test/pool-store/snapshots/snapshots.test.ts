import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { chooseSegments } from '../../../pool-store/snapshots/snapshot-choice.js';
import { snapshotId } from '../../../pool-store/snapshots/snapshot-id.js';
import type { Store } from '../../../pool-store/store.js';
import { ALL_BUT_DATE } from '../../all-but-date.js';
import { describeOnPostgres, openStore } from '../opened-store.js';
import { Giver } from '../pooled-store.js';

const HOUR_MS = 3_600_000;
const MODELS = ['11'.repeat(32), '22'.repeat(32)];

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-snapshots-'));
  store = await openStore(directory);
  await contribute('north', MODELS[0], 1);
  await contribute('south', MODELS[0], 2);
  await contribute('south', MODELS[1], 3);
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

async function contribute(institution: string, model: string, seed: number): Promise<string> {
  return (await (await Giver.of(store, institution)).give(seed, model)).id;
}

describe('a snapshot', () => {
  test('takes one model, and names the models where there are more', async () => {
    await expect(store.snapshots.create()).rejects.toThrow(
      /one modelDigest; found 1+, 2+: name one/,
    );
    const { institutions, sentenceCount } = await store.snapshots.create({ model: MODELS[0] });
    expect({ institutions, sentenceCount }).toEqual({
      institutions: ['north', 'south'],
      sentenceCount: 20,
    });
  });

  test('is made one at a time', async () => {
    const { catalog } = store;
    let [running, most] = [0, 0];
    const reading = jest.spyOn(catalog, 'readMoment').mockImplementation(async (work) => {
      most = Math.max(most, ++running);
      reading.mockClear();
      await new Promise((resolve) => setTimeout(resolve, 20));
      try {
        return await work(catalog.read);
      } finally {
        running--;
      }
    });
    await Promise.all(MODELS.map((model) => store.snapshots.create({ model })));
    expect(most).toBe(1);
    reading.mockRestore();
  });

  test('takes the institutions that are named', async () => {
    const { institutions } = await store.snapshots.create({
      model: MODELS[0],
      institutions: ['north'],
    });
    expect(institutions).toEqual(['north']);
  });

  test('stays what it was when more is contributed', async () => {
    const before = await store.snapshots.create({ model: MODELS[1] });
    await contribute('north', MODELS[1], 4);
    expect(await store.snapshots.get(before.id)).toEqual(before);
    const after = await store.snapshots.create({ model: MODELS[1] });
    expect(after.id).not.toBe(before.id);
    expect(after.segments).toEqual(expect.arrayContaining([...before.segments]));
  });

  test('takes what was received in a span of time', async () => {
    const model = '33'.repeat(32);
    await contribute('north', model, 30);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const middle = new Date().toISOString();
    const late = await contribute('south', model, 31);
    const { id, institutions } = await store.snapshots.create({ model, from: middle });
    expect(institutions).toEqual(['south']);
    expect((await store.snapshots.create({ model, until: middle })).institutions).toEqual([
      'north',
    ]);
    expect(await store.snapshots.provenanceOf(id)).toEqual([
      expect.objectContaining({ contribution: late, institution: 'south', withdrawn: null }),
    ]);
    await expect(store.snapshots.create({ model, until: '2001-01-01T00:00:00Z' })).rejects.toThrow(
      /nothing to freeze/,
    );
  });

  test.each([
    ['from', '2026-13-01T00:00:00Z'],
    ['from', '2026-01-01T24:00:00Z'],
    ['until', '2026-02-30T00:00:00Z'],
  ])('has no %s that no calendar has: %s', async (field, time) => {
    const filter = { model: MODELS[0], [field]: time };
    await expect(store.snapshots.create(filter)).rejects.toMatchObject({
      code: 'request-invalid',
      message: expect.stringContaining(field),
    });
  });

  test('takes the time of the catalog, whatever that of the process is', async () => {
    const model = '95'.repeat(32);
    jest.useFakeTimers({ now: Date.now() + 100 * HOUR_MS, doNotFake: ALL_BUT_DATE });
    try {
      await contribute('north', model, 95);
    } finally {
      jest.useRealTimers();
    }
    const [given] = (await store.contributions.list()).filter((each) => each.model === model);
    expect(Math.abs(Date.parse(given?.received ?? '') - Date.now())).toBeLessThan(HOUR_MS);
  });

  test('says what another one holds more and less, also after a withdrawal', async () => {
    const model = '44'.repeat(32);
    const gone = await contribute('north', model, 40);
    const before = await store.snapshots.create({ model });
    await store.contributions.withdraw(gone);
    const come = await contribute('north', model, 41);
    const after = await store.snapshots.create({ model });
    const { added, removed } = await store.snapshots.diff(before.id, after.id);
    expect(added.map(({ contribution }) => contribution)).toEqual([come]);
    expect(removed).toEqual([expect.objectContaining({ contribution: gone })]);
    expect(removed[0].withdrawn).not.toBeNull();
    expect(await store.snapshots.diff(after.id, after.id)).toEqual({ added: [], removed: [] });
  });
});

/** Has `meanwhile` done once after a snapshot was chosen, at the same moment of the catalog still. */
function afterChoosing(meanwhile: () => Promise<unknown>): void {
  const { catalog } = store;
  const readMoment = catalog.readMoment.bind(catalog);
  jest.spyOn(catalog, 'readMoment').mockImplementationOnce((work) =>
    readMoment(async (moment) => {
      const result = await work(moment);
      await meanwhile();
      return result;
    }),
  );
}

async function snapshotsMade(): Promise<string[]> {
  const made: string[] = [];
  for await (const { action, subject } of store.log.all())
    if (action === 'snapshot-created') made.push(subject);
  return made;
}

describe('while a snapshot is made', () => {
  afterEach(() => void jest.restoreAllMocks());

  test('others write, and what they give is left out', async () => {
    const model = '55'.repeat(32);
    const before = await contribute('north', model, 50);
    let later: string | undefined;
    afterChoosing(async () => {
      later = await contribute('south', model, 51);
    });
    const { id } = await store.snapshots.create({ model });
    expect(later).toBeDefined();
    const held = await store.snapshots.provenanceOf(id);
    expect(held.map(({ contribution }) => contribution)).toEqual([before]);
    expect(await snapshotsMade()).toContain(id);
  });

  test('what is withdrawn is left out of it', async () => {
    const model = '66'.repeat(32);
    const kept = await contribute('north', model, 60);
    const gone = await contribute('south', model, 61);
    const made = await snapshotsMade();
    afterChoosing(() => store.contributions.withdraw(gone));
    const snapshot = await store.snapshots.create({ model });
    const held = await store.snapshots.provenanceOf(snapshot.id);
    expect(held.map(({ contribution }) => contribution)).toEqual([kept]);
    expect(snapshot.withdrawn).toBe(false);
    expect(await snapshotsMade()).toEqual([...made, snapshot.id]);
    expect((await store.snapshots.list()).map(({ id }) => id).sort()).toEqual(
      (await snapshotsMade()).sort(),
    );
  });

  test('a withdrawal of something else changes nothing of it', async () => {
    const [model, other] = ['77'.repeat(32), '78'.repeat(32)];
    await contribute('north', model, 70);
    const gone = await contribute('north', other, 71);
    afterChoosing(() => store.contributions.withdraw(gone));
    const read = jest.spyOn(store.catalog, 'readMoment');
    const { segments } = await store.snapshots.create({ model });
    expect(segments).toHaveLength(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('another of the same is the same one', async () => {
    const model = '88'.repeat(32);
    await contribute('north', model, 80);
    const [one, two] = await Promise.all([
      store.snapshots.create({ model }),
      store.snapshots.create({ model }),
    ]);
    expect(one).toEqual(two);
    expect((await snapshotsMade()).filter((id) => id === one.id)).toHaveLength(1);
  });
});

describeOnPostgres('while the rows of a snapshot are written to PostgreSQL', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** Has `meanwhile` done once after the rows were written, before anybody else sees them. */
  function afterWriting(meanwhile: () => Promise<unknown>): void {
    const { catalog } = store;
    const writeMuch = catalog.writeMuch.bind(catalog);
    jest.spyOn(catalog, 'writeMuch').mockImplementationOnce((prepare, finish) =>
      writeMuch(async (transaction) => {
        await prepare(transaction);
        await meanwhile();
      }, finish),
    );
  }

  test('others write', async () => {
    const model = '99'.repeat(32);
    await contribute('north', model, 90);
    let later: string | undefined;
    afterWriting(async () => {
      later = await contribute('south', model, 91);
    });
    const { segments } = await store.snapshots.create({ model });
    expect(later).toBeDefined();
    expect(segments).toHaveLength(1);
    expect(await store.log.firstBroken()).toBeUndefined();
  });

  test('what is withdrawn is left out of it', async () => {
    const model = 'aa'.repeat(32);
    const kept = await contribute('north', model, 92);
    const gone = await contribute('south', model, 93);
    afterWriting(() => store.contributions.withdraw(gone));
    const { id, withdrawn } = await store.snapshots.create({ model });
    const held = await store.snapshots.provenanceOf(id);
    expect(held.map(({ contribution }) => contribution)).toEqual([kept]);
    expect(withdrawn).toBe(false);
  });
});

test('segments are chosen alike in pages of any length', async () => {
  const model = 'bb'.repeat(32);
  for (let seed = 100; seed < 105; seed++) await contribute('north', model, seed);
  const all = await chooseSegments(store.catalog, store.log, { model });
  expect(all.sums).toEqual(expect.objectContaining({ segments: 5, sentences: 50 }));
  expect(all.id).toBe(snapshotId([...all.segments].sort()));
  expect(new Set(all.contributions).size).toBe(5);
  for (const page of [1, 2, 5, 6])
    expect(await chooseSegments(store.catalog, store.log, { model }, page)).toEqual(all);
});
