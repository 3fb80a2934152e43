import { describe, expect, test } from '@jest/globals';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { Inventory } from '../../../models/surrogates/inventory.js';
import { readOwnForms } from '../../../models/surrogates/own-forms.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const SCHEME = loadLabelScheme('meddocan');
const lists = [{ name: 'dates', type: 'FECHAS', text: '03/11/1954\n04/12/1955' }];
const ownForms = (forms: unknown, lists?: unknown) => [
  readOwnForms('house.json', JSON.stringify({ forms, lists })),
];

const NOTE = {
  id: 'note',
  text: 'Dr. Ruiz',
  spans: [{ type: 'NOMBRE_PERSONAL_SANITARIO', start: 0, end: 8 }],
};

/** Of 2,000 draws of a type, the share that a pattern fits. */
function shareOf(inventory: Inventory, type: string, pattern: RegExp): number {
  const draws = secretDraws(Buffer.alloc(32, 7));
  const drawn = Array.from({ length: 2000 }, () => inventory.draw(type, draws));
  return drawn.filter((entity) => pattern.test(entity)).length / drawn.length;
}

describe('forms that an institution states', () => {
  const IN_WORDS = /^el \d{1,2} de \p{L}+ de \d{4}$/u;

  test('have their share of the draws of their types, as likely beside one another as stated', async () => {
    const sources = {
      lists,
      languages: ['es'],
      ownForms: ownForms({
        FECHAS: [['el {1-28} de {month-es} de {1930-2029}', 3], 'año de gracia {1930-2029}'],
      }),
    };
    for (const ownShare of [undefined, 0.4]) {
      const inventory = new Inventory(await createInventory(SCHEME, sources, { ownShare }));
      const own = ownShare ?? 0.75;
      expect(inventory.file.weighting?.ownShare).toBe(own);
      const grace = shareOf(inventory, 'FECHAS', /^año de gracia/);
      expect(Math.abs(grace - own / 4)).toBeLessThan(0.05);
      // The language writes some so by itself.
      const inWords = shareOf(inventory, 'FECHAS', IN_WORDS);
      expect(inWords).toBeGreaterThan(0.75 * own - 0.05);
      expect(inWords).toBeLessThan(0.75 * own + 0.1);
    }
  });

  test('stand alone where nothing else is known of a type, and are named by their digest', async () => {
    const own = ownForms({ HOSPITAL: ['Casa {#2}'], FECHAS: ['día {1-28}'] });
    const file = await createInventory(SCHEME, { ownForms: own });
    expect(file.types).toEqual({ HOSPITAL: [['Casa {#2}', 1e6]], FECHAS: [['día {1-28}', 1e6]] });
    expect(file.sources).toEqual([
      { name: 'house.json', kind: 'forms', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test('name lists of their own, whose words join those of the same name', async () => {
    const lists = { town: ['Teruel', 'Soria'], family: ['Nadie'] };
    const own = ownForms({ HOSPITAL: ['Hospital de {town}', 'Hospital {family}'] }, lists);
    const corpora = [{ name: 'public', documents: [NOTE] }];
    const inventory = new Inventory(await createInventory(SCHEME, { corpora, ownForms: own }));
    const drawn = [/^Hospital de (Teruel|Soria)$/, /^Hospital Ruiz$/, /^Hospital Nadie$/];
    for (const pattern of drawn)
      expect(shareOf(inventory, 'HOSPITAL', pattern)).toBeGreaterThan(0.15);
    expect(inventory.file.lists.town).toEqual(['Soria', 'Teruel']);
  });

  test('stand beside an inventory that was begun with, of whose types they have their share', async () => {
    const base = new Inventory(
      await createInventory(SCHEME, { lists, corpora: [{ name: 'public', documents: [NOTE] }] }),
    );
    const sources = { base: { name: 'inventory.json', inventory: base }, languages: ['es'] };
    const own = ownForms({ FECHAS: ['hoy'] });
    const file = await createInventory(SCHEME, { ...sources, ownForms: own });
    const inventory = new Inventory(file);
    expect(Math.abs(shareOf(inventory, 'FECHAS', /^hoy$/) - 0.75)).toBeLessThan(0.05);
    expect(Math.abs(shareOf(inventory, 'FECHAS', /^\d\d\/\d\d\/\d{4}$/) - 0.25)).toBeLessThan(0.1);
    expect(file.types.NOMBRE_PERSONAL_SANITARIO).toEqual(base.file.types.NOMBRE_PERSONAL_SANITARIO);
    // A language adds the types that it lacks.
    expect(file.types.HOSPITAL?.length).toBeGreaterThan(5);
    expect(file.sources).toEqual(
      expect.arrayContaining([
        ...base.file.sources,
        { name: 'inventory.json', kind: 'file', digest: base.digest },
      ]),
    );
  });

  test('and an inventory that was begun with stays as it is but for what is added', async () => {
    const options = { pseudoWords: 0.25, ownShare: 0.5 };
    const first = ownForms({ FECHAS: ['hoy'] });
    const made = await createInventory(
      SCHEME,
      { lists, languages: ['es'], ownForms: first },
      options,
    );
    const base = { name: 'a', inventory: new Inventory(made) };
    const again = await createInventory(SCHEME, { base, languages: ['es'] });
    expect(Object.keys(again.types).sort()).toEqual(Object.keys(made.types).sort());
    for (const type of Object.keys(made.types)) {
      const shares = new Inventory(again).sharesOf(type);
      for (const [form, share] of base.inventory.sharesOf(type))
        expect(Math.abs((shares.get(form) ?? 1) - share)).toBeLessThan(1e-4);
    }
    expect(again.pseudoWords).toEqual(made.pseudoWords);
    expect(again.weighting?.ownShare).toBe(0.5);
    expect(new Set(again.sources.map(({ name }) => name)).size).toBe(again.sources.length);
    await expect(
      createInventory(loadLabelScheme('synthetic'), { base, languages: ['en'] }),
    ).rejects.toMatchObject({ code: 'label-unknown' });
  });

  test('are read on one line, in composed letters', async () => {
    const own = ownForms({ HOSPITAL: ['Casa\nde {town}'] }, { town: ['A\u0301vila\t'] });
    const inventory = new Inventory(await createInventory(SCHEME, { ownForms: own }));
    expect(shareOf(inventory, 'HOSPITAL', /^Casa de Ávila$/)).toBe(1);
  });

  test('leave an inventory without any as it was', async () => {
    const [without, with_] = await Promise.all([
      createInventory(SCHEME, { lists }),
      createInventory(SCHEME, { lists }, { ownShare: 0.4 }),
    ]);
    expect(with_).toEqual(without);
    expect(without.weighting).not.toHaveProperty('ownShare');
  });

  test.each([
    ['what is no JSON', '{', 'house.json: expected JSON, {"forms", "lists"}'],
    ['a type without forms', '{"forms": {"FECHAS": []}}', 'house.json'],
    ['a weight of nothing', '{"forms": {"FECHAS": [["{#2}", 0]]}}', 'house.json'],
    ['a form that is no text', '{"forms": {"FECHAS": [3]}}', 'house.json'],
    [
      'a slot that there is not',
      '{"forms": {"FECHAS": ["1", "{9-1}"]}}',
      'form 2 of FECHAS cannot be read',
    ],
    ['a brace of its own', '{"forms": {"FECHAS": ["{1-28"]}}', 'form 1 of FECHAS cannot be read'],
    [
      'a list that no source has',
      '{"forms": {"FECHAS": ["{month-es}"]}}',
      'form 1 of FECHAS names the list month-es, which there is not; expected one of',
    ],
    ['an empty list', '{"forms": {"FECHAS": ["{#2}"]}, "lists": {"town": []}}', 'house.json'],
    ['a key that it does not know', '{"FECHAS": ["{#2}"]}', 'house.json'],
    ['a type that is no PHI', '{"forms": {"ROOM": ["{#2}"]}}', 'takes ROOM for no PHI'],
    ['a type of another scheme', '{"forms": {"PLANETS": ["{#2}"]}}', 'PLANETS'],
  ])('refuses %s', async (_what, text, problem) => {
    const made = async () =>
      createInventory(SCHEME, { ownForms: [readOwnForms('house.json', text)] });
    await expect(made()).rejects.toThrow(problem);
  });
});
