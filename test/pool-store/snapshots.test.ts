import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Store } from '../../pool-store/store.js';
import { openStore } from './opened-store.js';
import { Giver } from './pooled-store.js';

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
