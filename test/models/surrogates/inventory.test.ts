import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { secretDraws } from '../../../models/surrogates/draws.js';
import { parseForm } from '../../../models/surrogates/entity-form.js';
import { Inventory, inventoryBytes } from '../../../models/surrogates/inventory.js';
import { learnForm } from '../../../models/surrogates/learn-form.js';
import { fillEntities, maskEntities } from '../../../models/surrogates/replacement.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const SCHEME = loadLabelScheme('meddocan');
const draws = (seed: number) => secretDraws(Buffer.alloc(32, seed));

const SCHEMES = [
  ...['hipaa', 'hipaa-binary', 'i2b2-2006', 'i2b2-2014', 'i2b2-official-hipaa'],
  ...['meddocan', 'phi-binary', 'presidio', 'synthetic'],
];
/** Types that join whatever has no type of its own. */
const ANYTHING = ['OTHER', 'OTROS_SUJETO_ASISTENCIA'];

function note(text: string, ...entities: readonly [type: string, entity: string][]): Document {
  const spans = entities.map(([type, entity]) => {
    const start = text.indexOf(entity);
    return { type, start, end: start + entity.length };
  });
  return { id: 'note', text, spans };
}

const NOTE = note(
  'D. José Ruiz Gil nació el 03/11/1954 en Toledo. NHC 48213-K.',
  ['NOMBRE_SUJETO_ASISTENCIA', 'José Ruiz Gil'],
  ['FECHAS', '03/11/1954'],
  ['TERRITORIO', 'Toledo'],
  ['ID_SUJETO_ASISTENCIA', '48213-K'],
);
const OTHER = note(
  'Dña. ANA SANZ vive en Teruel.',
  ['NOMBRE_SUJETO_ASISTENCIA', 'ANA SANZ'],
  ['TERRITORIO', 'Teruel'],
);
const corpora = [{ name: 'public', documents: [NOTE, OTHER] }];

test('English decades of an age are spelled as words are', async () => {
  const scheme = loadLabelScheme('i2b2-2014');
  const inventory = new Inventory(await createInventory(scheme, { languages: ['en'] }));
  const stream = draws(7);
  const drawn = Array.from({ length: 3000 }, () => inventory.draw('AGE', stream));
  expect(drawn).toContain('sixties');
  expect(drawn.filter((age) => /tys\b/.test(age))).toEqual([]);
});

describe('a document that states its sentences', () => {
  test('has them where they were once its entities are replaced, none within one', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    const { text } = NOTE;
    const starts = ['D.', 'José', 'Ruiz', 'nació', 'el', 'NHC'].map((word) => text.indexOf(word));
    const masked = maskEntities({ ...NOTE, sentences: starts }, SCHEME);
    const filled = fillEntities(masked, inventory, draws(1));
    const words = filled.sentences?.map((start) => filled.text.slice(start).trim().split(' ')[0]);
    const [name] = filled.spans;
    const first = filled.text.slice(name?.start, name?.end).split(' ')[0];
    expect(words).toEqual(['D.', first, 'nació', 'el', 'NHC']);
  });
});

describe('the form of an entity', () => {
  test.each([
    ['NOMBRE_SUJETO_ASISTENCIA', 'José Ruiz Gil', '{given} {family} {family}'],
    ['NOMBRE_SUJETO_ASISTENCIA', 'ANA SANZ', '{given:upper} {family:upper}'],
    ['NOMBRE_PERSONAL_SANITARIO', 'Dr. J. M. Pérez', 'Dr. {initial}. {initial}. {family}'],
    ['NOMBRE_PERSONAL_SANITARIO', 'Pérez, Luis', '{family}, {given}'],
    ['FECHAS', '03/11/1954', '{01-28}/{01-12}/{1930-2029}'],
    ['FECHAS', '11/23/54', '{01-12}/{01-28}/{#2}'],
    ['FECHAS', '3 de mayo de 2018', '{1-28} de mayo de {1930-2029}'],
    ['EDAD_SUJETO_ASISTENCIA', '63 años', '{1-99} años'],
    ['ID_SUJETO_ASISTENCIA', '48213-K', '{#5}-K'],
    ['CORREO_ELECTRONICO', 'ana@example.org', '{mailbox}@{domain}'],
    ['HOSPITAL', 'Hospital 12 de Octubre', 'Hospital {#2} de Octubre'],
    ['FAMILIARES_SUJETO_ASISTENCIA', 'dos hermanas', 'dos hermanas'],
  ])('of %s %s is %s', (type, entity, form) => {
    expect(learnForm(entity, type)?.form).toBe(form);
  });

  test('can be read again, however many digits an entity has', () => {
    const digits = fc.stringMatching(/^0?\d{0,130}$/);
    const around = fc.constantFrom(
      '',
      ' ',
      '/',
      '-',
      '.',
      ', ',
      '@',
      ' de mayo de ',
      'Ana ',
      'años',
    );
    const entities = fc
      .tuple(digits, around, digits, around, digits)
      .map((parts) => parts.join(''));
    const types = fc.constantFrom(...SCHEME.types);
    fc.assert(
      fc.property(types, entities, (type, entity) => {
        const learnt = learnForm(entity, type);
        if (!learnt) return;
        const lists = Object.fromEntries(learnt.words.map(([list, word]) => [list, [word]]));
        expect(() => parseForm(learnt.form, lists)).not.toThrow();
      }),
      { seed: 1, numRuns: 3000 },
    );
  });

  test('with braces is none', () => {
    expect(learnForm('{x}', 'HOSPITAL')).toBeUndefined();
  });
});

describe('an inventory', () => {
  test('draws every digit of a number anew', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    const found = Array.from({ length: 40 }, (_, i) =>
      inventory.draw('ID_SUJETO_ASISTENCIA', draws(i)),
    );
    expect(new Set(found).size).toBeGreaterThan(35);
    for (const each of found) expect(each).toMatch(/^\d{5}-K$/);
  });

  test('is the same bytes whatever order its types were met in, and reads back', async () => {
    const [one, other] = await Promise.all(
      [
        [NOTE, OTHER],
        [OTHER, NOTE],
      ].map((documents) => createInventory(SCHEME, { corpora: [{ name: 'public', documents }] })),
    );
    const types = (file: typeof one) =>
      inventoryBytes({
        ...(file as NonNullable<typeof one>),
        sources: [{ name: 'x', kind: 'corpus' }],
      });
    expect(Buffer.from(types(one))).toEqual(Buffer.from(types(other)));
    const again = Inventory.read(inventoryBytes(one as NonNullable<typeof one>));
    expect(again.digest).toBe(new Inventory(one as NonNullable<typeof one>).digest);
  });

  test('says which type it has nothing for, and what to do', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    expect(() => inventory.draw('HOSPITAL', draws(1))).toThrow(
      expect.objectContaining({
        code: 'inventory-missing',
        message: expect.stringContaining('--list HOSPITAL=FILE'),
      }),
    );
  });

  test('takes names and places of a locale for the types of a scheme', async () => {
    const file = await createInventory(SCHEME, { locales: ['tr'] });
    const inventory = new Inventory(file);
    expect(file.lists.family).toContain('Akbaba');
    expect(inventory.draw('NOMBRE_SUJETO_ASISTENCIA', draws(3))).toMatch(/\p{L}/u);
    await expect(createInventory(SCHEME, { locales: ['atlantis'] })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  test('knows how entities are commonly written in a language, and what it learnt in other casing', async () => {
    const file = await createInventory(SCHEME, { corpora, languages: ['es'] });
    const forms = (type: string) => (file.types[type] ?? []).map(([form]) => form);
    expect(forms('FECHAS')).toEqual(
      expect.arrayContaining([
        '{1-28} de {month-es} de {1930-2029}',
        '{1930-2029}-{01-12}-{01-28}',
      ]),
    );
    expect(forms('TERRITORIO')).toEqual(
      expect.arrayContaining(['Toledo', 'toledo', 'TOLEDO', '{city}']),
    );
    expect(file.sources.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['public', 'es', 'es_MX', 'common forms, es']),
    );
    const inventory = new Inventory(file);
    for (const type of inventory.types)
      for (let seed = 0; seed < 30; seed++)
        expect(inventory.draw(type, draws(seed))).not.toMatch(/[{}]/);
  });

  test.each(['en', 'es'])(
    'in %s has forms for all types of all schemes but those that may be anything',
    async (language) => {
      for (const name of SCHEMES) {
        const scheme = loadLabelScheme(name);
        const inventory = new Inventory(await createInventory(scheme, { languages: [language] }));
        const missing = scheme.types.filter((type) => !inventory.types.includes(type));
        expect([name, missing.filter((type) => !ANYTHING.includes(type))]).toEqual([name, []]);
        for (const type of inventory.types) {
          const stream = draws(name.length);
          const drawn = Array.from({ length: 200 }, () => inventory.draw(type, stream));
          expect(drawn.filter((each) => !/^[^{}]*[\p{L}\p{N}][^{}]*$/u.test(each))).toEqual([]);
        }
      }
    },
  );

  test('says so where a language has no forms but those of any', async () => {
    const { sources } = await createInventory(SCHEME, { languages: ['fr'] });
    expect(sources).toContainEqual({ name: 'fr', kind: 'locale' });
    expect(sources).toContainEqual({ name: 'common forms, any language', kind: 'forms' });
  });

  test('composes organisations of public words and places', async () => {
    const file = await createInventory(SCHEME, { languages: ['es'] });
    const inventory = new Inventory(file);
    const stream = draws(4);
    const hospitals = Array.from({ length: 400 }, () => inventory.draw('HOSPITAL', stream));
    const cities = file.lists.city ?? [];
    expect(hospitals.some((each) => cities.some((city) => each === `Hospital de ${city}`))).toBe(
      true,
    );
    expect(new Set(hospitals).size).toBeGreaterThan(350);
  });

  test('draws what was rarely met more often the lower its exponent is, and says what it is', async () => {
    const text = `${'Toledo\n'.repeat(90)}Teruel\n`;
    const lists = [{ name: 'places', type: 'TERRITORIO', text }];
    const shares = await Promise.all(
      [1, 0.5, 0].map(async (exponent) => {
        const file = await createInventory(SCHEME, { lists }, { exponent });
        expect(file.weighting?.exponent).toBe(exponent);
        const inventory = new Inventory(file);
        const stream = draws(6);
        const drawn = Array.from({ length: 2000 }, () => inventory.draw('TERRITORIO', stream));
        return drawn.filter((place) => place === 'Teruel').length / drawn.length;
      }),
    );
    expect(shares[0]).toBeLessThan(0.03);
    expect(shares[1]).toBeGreaterThan(0.06);
    expect(shares[1]).toBeLessThan(0.13);
    expect(shares[2]).toBeGreaterThan(0.45);
  });

  test('leaves to common forms the share of draws that it states', async () => {
    const lists = [{ name: 'places', type: 'TERRITORIO', text: 'Xanadu' }];
    const sources = { lists, languages: ['es'] };
    const file = await createInventory(SCHEME, sources, { commonShare: 0.25 });
    expect(file.weighting).toEqual({ exponent: 0.5, commonShare: 0.25 });
    const inventory = new Inventory(file);
    const stream = draws(8);
    const drawn = Array.from({ length: 2000 }, () => inventory.draw('TERRITORIO', stream));
    const own = drawn.filter((place) => /^xanadu$/i.test(place)).length / drawn.length;
    expect(Math.abs(own - 0.75)).toBeLessThan(0.04);
  });

  test('puts words that nobody has among the names, as many as it states', async () => {
    const sources = { languages: ['es'] };
    const all = await createInventory(SCHEME, sources, { pseudoWords: 1 });
    expect(all.pseudoWords).toEqual({ share: 1, lists: ['city', 'family', 'given'] });
    const known = new Set(['given', 'family'].flatMap((list) => all.lists[list] ?? []));
    const strange = (file: typeof all) => {
      const inventory = new Inventory(file);
      const stream = draws(9);
      const words = Array.from({ length: 500 }, () =>
        inventory.draw('NOMBRE_SUJETO_ASISTENCIA', stream),
      ).filter((name) => /^\p{Lu}\p{Ll}{2,}$/u.test(name));
      return words.filter((word) => !known.has(word)).length / words.length;
    };
    expect(strange(all)).toBeGreaterThan(0.5);
    expect(strange(await createInventory(SCHEME, sources))).toBeLessThan(0.2);
  });

  test('of the first format is read, with roots of counts as weights', () => {
    const sources = [{ name: 'old', kind: 'corpus' }] as const;
    const file = {
      format: 1,
      sources,
      types: {
        TERRITORIO: [
          ['Toledo', 81],
          ['Teruel', 1],
        ],
      },
    };
    const inventory = Inventory.read(Buffer.from(JSON.stringify({ ...file, lists: {} })));
    const stream = draws(2);
    const drawn = Array.from({ length: 1000 }, () => inventory.draw('TERRITORIO', stream));
    const rare = drawn.filter((place) => place === 'Teruel').length;
    expect(rare).toBeGreaterThan(60);
    expect(rare).toBeLessThan(140);
  });

  test.each([
    ['no JSON', '{'],
    [
      'an unknown key',
      '{"format":1,"sources":[{"name":"a","kind":"corpus"}],"types":{},"lists":{},"more":1}',
    ],
    [
      'a slot of no list',
      '{"format":1,"sources":[{"name":"a","kind":"corpus"}],"types":{"A":[["{x}",1]]},"lists":{}}',
    ],
    [
      'a brace alone',
      '{"format":1,"sources":[{"name":"a","kind":"corpus"}],"types":{"A":[["a}",1]]},"lists":{}}',
    ],
    [
      'a count of nothing',
      '{"format":1,"sources":[{"name":"a","kind":"corpus"}],"types":{"A":[["a",0]]},"lists":{}}',
    ],
  ])('with %s is refused', (_what, text) => {
    expect(() => Inventory.read(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'inventory-invalid' }),
    );
  });
});

describe('replacement', () => {
  test('leaves the text between entities, and labels what it puts there', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    const masked = maskEntities(NOTE, SCHEME);
    const { text, spans } = fillEntities(masked, inventory, draws(5));
    expect(spans.map(({ type }) => type)).toEqual(masked.types);
    const gaps = spans.map(({ end }, i) => text.slice(end, spans[i + 1]?.start));
    expect([text.slice(0, spans[0]?.start), ...gaps]).toEqual(masked.gaps);
  });

  test('leaves entities of types that are kept where they stand, labelled, and sentences that begin in them', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    const starts = ['D.', 'Ruiz', 'Toledo', 'edo.'].map((word) => NOTE.text.indexOf(word));
    const masked = maskEntities({ ...NOTE, sentences: starts }, SCHEME, new Set(['TERRITORIO']));
    expect(masked.types).toEqual([
      ...['NOMBRE_SUJETO_ASISTENCIA', 'FECHAS', 'ID_SUJETO_ASISTENCIA'],
    ]);
    const { text, spans, sentences } = fillEntities(masked, inventory, draws(5));
    expect(spans.map(({ type }) => type)).toEqual(NOTE.spans.map(({ type }) => type));
    const [place] = spans.filter(({ type }) => type === 'TERRITORIO');
    expect(text.slice(place?.start, place?.end)).toBe('Toledo');
    expect(sentences?.map((start) => text.slice(start).slice(0, 2))).toEqual(['D.', 'To', 'ed']);
  });

  test('never joins a surrogate with a letter or a digit beside it', async () => {
    const list = (text: string) => [{ name: 'list', type: 'PHI', text }];
    const scheme = loadLabelScheme('phi-binary');
    const inventory = new Inventory(await createInventory(scheme, { lists: list('setenta') }));
    const document = { id: 'a', text: '25yo', spans: [{ type: 'PHI', start: 0, end: 2 }] };
    expect(fillEntities(maskEntities(document, scheme), inventory, draws(1)).text).toBe(
      'setenta yo',
    );
  });

  test('does not depend on what the entities were', async () => {
    const inventory = new Inventory(await createInventory(SCHEME, { corpora }));
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(255), (mine, other, seed) => {
        const [a, b] = [mine, other].map((entity) => {
          const text = `Vive en ${entity} desde 2001.`;
          const spans = [{ type: 'TERRITORIO', start: 8, end: 8 + entity.length }];
          return fillEntities(maskEntities({ text, spans }, SCHEME), inventory, draws(seed));
        });
        expect(a).toEqual(b);
      }),
    );
  });
});
