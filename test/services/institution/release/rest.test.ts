import { describe, expect, test } from '@jest/globals';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../services/institution/release/encode.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { notesWithRest, outgoing } from '../notes.js';
import { inNewHomes } from './in-new-homes.js';

const LEAST = 5;

describe('a job over notes that left, with sentences that stay', () => {
  let model: EncodingModel;
  let home: string;
  let newHome: () => string;
  inNewHomes((setting) => {
    ({ model, home, newHome } = setting);
  });
  const options = { labelDocuments: LEAST };
  const refused = {
    code: 'documents-too-few',
    message: expect.stringMatching(/gather more notes/),
  };

  async function stateOf(of: string) {
    const ledger = await Ledger.open(of);
    try {
      return {
        generation: ledger.generation(),
        bounds: ledger.bounds(),
        segments: await outgoing(of),
      };
    } finally {
      ledger.close();
    }
  }

  test('ends well each time, says how many stay, and changes nothing', async () => {
    const all = notesWithRest(6, 2);
    expect(await encode(all, model, home, options)).toMatchObject({
      ...{ released: 6, withheld: 2, rest: 0 },
    });
    const before = await stateOf(home);
    for (const dryRun of [false, true, false])
      expect(await encode(all, model, home, { ...options, dryRun })).toMatchObject({
        ...{ released: 0, releasable: 0, skipped: 6, withheld: 2, rest: 2, segments: [] },
      });
    expect(await stateOf(home)).toEqual(before);
  });

  test('lets no labels of a single new note leave among those of others that leave again', async () => {
    const all = notesWithRest(LEAST + 1, 0);
    const twice = { ...options, maxReleases: 2 };
    await encode(all.slice(0, LEAST), model, home, twice);
    await expect(encode(all, model, home, twice)).rejects.toMatchObject(refused);
    const again = await encode(all.slice(0, LEAST), model, home, twice);
    expect(again.released).toBe(LEAST);
  });

  test('is told from one with new notes, which are too few', async () => {
    const left = notesWithRest(6, 2);
    await encode(left, model, home, options);
    const before = await stateOf(home);
    const few = notesWithRest(LEAST - 1, 0, 'gamma');
    for (const job of [few, [...left, ...few.slice(0, 2)], [...left, ...few.slice(0, 1)]])
      for (const dryRun of [true, false])
        await expect(encode(job, model, home, { ...options, dryRun })).rejects.toMatchObject(
          refused,
        );
    expect(await stateOf(home)).toEqual(before);
  });

  test('goes on with new notes once they are enough, and counts the rest still', async () => {
    const left = notesWithRest(6, 2);
    await encode(left, model, home, options);
    const more = notesWithRest(LEAST, 0, 'gamma');
    expect(await encode([...left, ...more], model, home, options)).toMatchObject({
      ...{ released: LEAST, withheld: 2, rest: 2, skipped: 6 },
    });
    expect(await encode([...left, ...more], model, home, options)).toMatchObject({
      ...{ released: 0, withheld: 2, rest: 2, skipped: 6 + LEAST },
    });
  });

  test('lets the rest leave once enough notes have its labels', async () => {
    const left = notesWithRest(6, 2);
    await encode(left, model, home, options);
    expect(
      await encode([...left, ...notesWithRest(3, 3, 'gamma')], model, home, options),
    ).toMatchObject({
      ...{ released: 8, withheld: 0, rest: 0 },
    });
  });

  test('is one where notes leave in copies and in portions too', async () => {
    const all = notesWithRest(40, 4);
    const asked = { ...options, copies: 2, maxReleases: 2, mostSentences: 30 };
    const first = await encode(all, model, home, asked);
    expect(first.released).toBeGreaterThan(0);
    expect(first.withheld).toBeGreaterThan(0);
    const before = await stateOf(home);
    const again = await encode(all, model, home, asked);
    expect(again).toMatchObject({ released: 0, rest: again.withheld });
    expect(await stateOf(home)).toEqual(before);
  });

  test('is refused in a home where none of them left', async () => {
    await expect(encode(notesWithRest(4, 2), model, newHome(), options)).rejects.toMatchObject(
      refused,
    );
  });
});
