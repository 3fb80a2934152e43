import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { entityShape } from '../../../models/surrogates/entity-shape.js';
import { Inventory } from '../../../models/surrogates/inventory.js';
import { readOwnForms } from '../../../models/surrogates/own-forms.js';
import { compareSurrogates } from '../../../models/surrogates/surrogate-comparison.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const SCHEME = loadLabelScheme('meddocan');

describe('the shape of an entity', () => {
  test.each([
    ['el 12 de marzo de 2004', 'el 00 de aa de 0000'],
    ['El 3 de mayo', 'Aa 0 de aa'],
    ['Sr. J. Pérez Gil', 'Aa . A . Aa'],
    ['SANZ RUIZ, ANA', 'AA , AA'],
    ['María de la O', 'Aa de la A'],
    ['48213456-K', '0000 - A'],
    ['dos hermanas', 'dos aa'],
    ['李明', 'xx'],
    ['', ''],
  ])('of %s is %s', (entity, shape) => {
    expect(entityShape(entity)).toBe(shape);
  });
});

/** Two entities a note. */
function notesOf(count: number, entities: readonly string[]): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const written = [0, 1].map((at) => entities[(2 * i + at) % entities.length] as string);
    const text = written.join(' ');
    const second = (written[0] as string).length + 1;
    const spans = [
      { type: 'FECHAS', start: 0, end: second - 1 },
      { type: 'FECHAS', start: second, end: text.length },
    ];
    return { id: `note-${i}`, text, spans };
  });
}

const inventoryOf = async (...forms: string[]) => {
  const own = readOwnForms('house.json', JSON.stringify({ forms: { FECHAS: forms } }));
  return new Inventory(await createInventory(SCHEME, { ownForms: [own] }));
};

const compared = (notes: readonly Document[], inventory: Inventory, kept: readonly string[] = []) =>
  compareSurrogates(notes, SCHEME, inventory, secretDraws(Buffer.alloc(32, 3)), kept);

describe('how alike entities and surrogates are written', () => {
  const notes = notesOf(40, ['el 3 de mayo', '12/03/1999']);
  const alikeIn = (inventory: Inventory) => compared(notes, inventory).types;

  test('is what the distributions of their shapes have in common', async () => {
    const [alike] = alikeIn(await inventoryOf('el {1-9} de mayo'));
    expect(alike).toEqual({ type: 'FECHAS', entities: 80, surrogates: 0.5, halves: 1 });
    const both = await inventoryOf('el {1-9} de mayo', '{10-28}/{01-12}/{1930-2029}');
    expect(alikeIn(both)[0]?.surrogates).toBeGreaterThan(0.85);
    expect(alikeIn(await inventoryOf('mayo'))[0]?.surrogates).toBe(0);
  });

  test('is the same every time, and says nothing of types with few entities', async () => {
    const inventory = await inventoryOf('el {1-9} de mayo', 'mayo');
    expect(alikeIn(inventory)).toEqual(alikeIn(inventory));
    expect(compared(notes.slice(0, 9), inventory).types).toEqual([]);
  });

  test('is of surrogates as they would leave, in the case of the text around', async () => {
    const text = 'VISTO POR ANA SANZ EN SORIA';
    const loud = Array.from({ length: 30 }, (_, i) => ({
      ...{ id: `${i}`, text },
      spans: [{ type: 'NOMBRE_PERSONAL_SANITARIO', start: 10, end: 18 }],
    }));
    const forms = { NOMBRE_PERSONAL_SANITARIO: ['Eva Gil'] };
    const ownForms = [readOwnForms('house.json', JSON.stringify({ forms }))];
    const inventory = new Inventory(await createInventory(SCHEME, { ownForms }));
    expect(compared(loud, inventory).types[0]).toMatchObject({ surrogates: 1, halves: 1 });
  });

  test('does not name a label that is the word which it marks', async () => {
    const spans = [{ type: 'Sanz', start: 0, end: 4 }];
    const slip = [{ id: 'slip', text: 'Sanz', spans }];
    const inventory = await inventoryOf('mayo');
    const refused = await Promise.resolve()
      .then(() => compared(slip, inventory))
      .catch(String);
    expect(refused).toContain('has no a type that is no name');
    expect(refused).not.toContain('Sanz');
  });

  test('names types that have no surrogates, and leaves those out that are kept', async () => {
    const lists = [{ name: 'towns', type: 'TERRITORIO', text: 'Soria' }];
    const inventory = new Inventory(await createInventory(SCHEME, { lists }));
    expect(compared(notes, inventory)).toEqual({ types: [], missing: ['FECHAS'] });
    expect(compared(notes, inventory, ['FECHAS'])).toEqual({ types: [], missing: [] });
  });
});
