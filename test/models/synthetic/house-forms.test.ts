import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { Inventory } from '../../../models/surrogates/inventory.js';
import { readOwnForms } from '../../../models/surrogates/own-forms.js';
import { compareSurrogates } from '../../../models/surrogates/surrogate-comparison.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { houseForms } from '../../../models/synthetic/house-forms.js';
import { INSTITUTIONS } from '../../../models/synthetic/institutions.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const SCHEME = loadLabelScheme('synthetic');
const NOTES = [...generateNotes({ seed: 4, documents: 40 * INSTITUTIONS.length })];

/** Its habits don't say how often it writes what, and notes have more: holidays, say. */
const LEAST_ALIKE = 0.5;
const STATED = ['DATE', 'PATIENT', 'DOCTOR', 'PHONE', 'FAX', 'MEDICALRECORD', 'ZIP'];

describe.each(INSTITUTIONS.map((house) => [house.id, house] as const))(
  'what %s states of how it writes',
  (id, house) => {
    const { locales, ...stated } = houseForms(house);
    const ownForms = [readOwnForms(`${id}.json`, JSON.stringify(stated))];
    const notes = NOTES.filter(({ institution }) => institution === id);

    test('makes surrogates that are written as its notes are, with words of its lists', async () => {
      const sources = { languages: ['en'], locales, ownForms };
      const inventory = new Inventory(await createInventory(SCHEME, sources, { ownShare: 1 }));
      const draws = secretDraws(Buffer.alloc(32, 1));
      const { types } = compareSurrogates(notes, SCHEME, inventory, draws);
      const own = types.filter(({ type }) => STATED.includes(type));
      expect(own.length).toBeGreaterThan(3);
      for (const { type, surrogates, halves } of own)
        expect([type, surrogates / halves > LEAST_ALIKE]).toEqual([type, true]);
    });

    test('holds the name of no patient, and no number of one', () => {
      const phi = notes.flatMap(({ text, spans }) =>
        spans
          .filter(({ type }) => type === 'PATIENT' || type === 'MEDICALRECORD')
          .map(({ start, end }) => text.slice(start, end)),
      );
      const stands = new Set(phi);
      const words = [...Object.values(stated.lists).flat()];
      const forms = Object.values(stated.forms).flatMap((each) => each.map(([form]) => form));
      expect([...words, ...forms].filter((each) => stands.has(each))).toEqual([]);
    });
  },
);
