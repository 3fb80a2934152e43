import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { entityShape } from '../../../models/surrogates/entity-shape.js';
import { Inventory } from '../../../models/surrogates/inventory.js';
import { likenessByType } from '../../../models/surrogates/likeness.js';
import { readOwnForms } from '../../../models/surrogates/own-forms.js';
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

const alikeIn = (notes: readonly Document[], inventory: Inventory) =>
  likenessByType(notes, SCHEME, inventory, secretDraws(Buffer.alloc(32, 3)));

describe('how alike entities and surrogates are written', () => {
  const notes = notesOf(40, ['el 3 de mayo', '12/03/1999']);

  test('is what the distributions of their shapes have in common', async () => {
    const [alike] = alikeIn(notes, await inventoryOf('el {1-9} de mayo'));
    expect(alike).toEqual({ type: 'FECHAS', entities: 80, surrogates: 0.5, halves: 1 });
    const both = await inventoryOf('el {1-9} de mayo', '{10-28}/{01-12}/{1930-2029}');
    const [whole] = alikeIn(notes, both);
    expect(whole?.surrogates).toBeGreaterThan(0.95);
    const [none] = alikeIn(notes, await inventoryOf('mayo'));
    expect(none?.surrogates).toBe(0);
  });

  test('is the same every time, and says nothing of types with few entities', async () => {
    const inventory = await inventoryOf('el {1-9} de mayo', 'mayo');
    const once = alikeIn(notes, inventory);
    expect(alikeIn(notes, inventory)).toEqual(once);
    expect(alikeIn(notes.slice(0, 9), inventory)).toEqual([]);
  });

  test('cannot be said of a type that has no surrogates', async () => {
    const lists = [{ name: 'towns', type: 'TERRITORIO', text: 'Soria' }];
    const inventory = new Inventory(await createInventory(SCHEME, { lists }));
    expect(() => alikeIn(notes, inventory)).toThrow('no entities of type FECHAS');
  });
});
