import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../../models/surrogates/create-inventory.js';
import { inventoryBytes } from '../../../../models/surrogates/inventory.js';
import type { Document } from '../../../../models/text/document.js';
import { textExamples } from '../../../../models/training/data/examples.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../services/institution/release/encode.js';
import type { EncodeOptions } from '../../../../services/institution/release/job/encode-options.js';
import type { SecondReader } from '../../../../services/institution/release/suspects/second-reader.js';
import { asEncoded } from '../../../../services/workflows/audit/encoded-notes.js';
import { placedSentences } from '../../../../services/workflows/audit/placed-sentences.js';
import { sharedReleases } from '../../../../services/workflows/audit/shared-releases.js';
import { WORDS } from '../../institution/notes.js';
import { inNewHomes } from '../../institution/release/in-new-homes.js';
import { TWO_TYPES } from '../../institution/two-types.js';

const { signal } = new AbortController();
const [ALPHA, BETA, SUSPECT, ...NAMES] = WORDS as [string, string, string, ...string[]];

/** A line with a labelled name, one with a name that nobody labelled, one without any. */
function note(name: string, day: number): Document {
  const text = `Name ${name} of day ${day}.\n\nBrother ${SUSPECT} on ${day}.\n\nNothing on ${day}.`;
  return { id: `${day}`, text, spans: [{ type: 'PHI', start: 5, end: 5 + name.length }] };
}

const NOTES = [...NAMES, ALPHA].map(note);

/** Finds the name that nobody labelled. */
const reader: SecondReader = {
  treatment: 'replace',
  find: async (text) => {
    const start = text.indexOf(`Brother ${SUSPECT}`) + 'Brother '.length;
    return start < 'Brother '.length ? [] : [{ type: 'PHI', start, end: start + SUSPECT.length }];
  },
};

describe('notes as they were encoded', () => {
  let model: EncodingModel;
  let home: string;
  inNewHomes((setting) => {
    ({ model, home } = setting);
  });

  /** How many sentences were released, and of how many of them the audit finds the release that is theirs. */
  const countsOf = async (
    options: EncodeOptions,
    audited?: SecondReader,
    { notes = NOTES, scheme = model.scheme } = {},
  ) => {
    const lists = [{ name: 'some', type: 'PHI', text: `${ALPHA}\n${BETA}` }];
    const inventory = await createInventory(scheme, { lists });
    const encoding = { inventory, keepMap: true, labelDocuments: 1, ...options };
    const { released } = await encode(notes, { ...model, scheme }, home, encoding);
    const fitted = { ...model, scheme, inventory: undefined };
    const given = { documents: notes, institutions: undefined, members: undefined };
    const file = join(home, 'inventory.json');
    await writeFile(file, inventoryBytes(inventory));
    const seen = await asEncoded(given, fitted, { home, inventory: file, reader: audited }, signal);
    const examplesOf = (documents: readonly Document[]) =>
      textExamples(documents, scheme, model.vocabulary);
    const placed = placedSentences(seen.documents, examplesOf, seen.copies);
    const examples = placed.map(({ example }) => example);
    const place = { segments: join(home, 'outbox'), home, signal };
    const found = await sharedReleases(model, examples, place);
    return { released, found: new Set(found.vectors.values()).size, seen };
  };

  test('give every release its sentence, also where two copies drew the same entity', async () => {
    const { released, found, seen } = await countsOf({ copies: 8 });
    expect(seen.given).toEqual(NOTES);
    // Eight of each line with a label, one of each other: words that the model does not know are one to it.
    expect(released).toBe(4 * 8 + 2);
    expect(found).toBe(released);
  });

  test('have what a second reader found replaced as then, where the reader is named', async () => {
    const { released, found, seen } = await countsOf({ copies: 3, reader }, reader);
    expect(released).toBe(4 * (3 + 3) + 1);
    expect(found).toBe(released);
    const [[first] = []] = [...(seen.copies?.values() ?? [])];
    expect(first?.stoodFor).toEqual([NAMES[0], SUSPECT]);
    expect(first?.document.text).not.toContain(SUSPECT);
  });

  test('have what was kept as it is, and it stands for nothing', async () => {
    const notes = NOTES.map((each) => {
      const start = each.text.indexOf(SUSPECT);
      const kept = { type: 'ORG', start, end: start + SUSPECT.length };
      return { ...each, spans: [...each.spans, kept] };
    });
    const options = { keptTypes: ['ORG'], certification: { limit: 1, neighbours: 3, twins: 4 } };
    const setting = { notes, scheme: TWO_TYPES };
    const { released, found, seen } = await countsOf(options, undefined, setting);
    expect(found).toBe(released);
    const [[first] = []] = [...(seen.copies?.values() ?? [])];
    expect(first?.stoodFor).toEqual([NAMES[0], '']);
    expect(first?.document.text).toContain(SUSPECT);
  });

  test('leave unfound what a second reader changed, where none is named', async () => {
    const { released, found } = await countsOf({ copies: 3, reader });
    expect(released).toBe(4 * (3 + 3) + 1);
    // Of a note in which it replaced anything, each labelled entity was drawn anew.
    expect(found).toBeLessThanOrEqual(4 * 3 + 1);
  });
});
