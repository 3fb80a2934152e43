import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import { Inventory } from '../../../models/surrogates/inventory.js';
import { Surrogates } from '../../../models/surrogates/surrogates.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

describe('surrogates of a document', () => {
  test('give a name the same name, by its words, in the same case', () => {
    const surrogates = new Surrogates('es');
    const full = surrogates.of('Dra. Ana Ruiz', 'NOMBRE_PERSONAL_SANITARIO');
    const [title, given, family] = full.split(' ');
    expect(title).toBe('Dra.');
    expect(given).not.toBe(family);
    expect(surrogates.of('RUIZ', 'PATIENT')).toBe(family?.toUpperCase());
    expect(surrogates.of('Ana Ruiz', 'NAME')).toBe(`${given} ${family}`);
  });

  test('take a name with an apostrophe for one word, without the ending of a possessive', () => {
    for (let round = 0; round < 20; round++) {
      const surrogates = new Surrogates();
      const full = surrogates.of("Mary O'Donnell-Hughes", 'PERSON');
      expect(full).toMatch(/^\p{L}+ \p{L}+-\p{L}+$/u);
      const family = full.split(' ')[1];
      expect(surrogates.of("O'Donnell-Hughes's", 'PERSON')).toBe(`${family}'s`);
      expect(surrogates.of("O'DONNELL", 'PERSON')).toBe(family?.split('-')[0]?.toUpperCase());
    }
  });

  test('begin an initial as the name that it stands for', () => {
    const surrogates = new Surrogates();
    const [given = ''] = surrogates.of('Rajesh Patel', 'DOCTOR').split(' ');
    expect(surrogates.of('R. Patel', 'DOCTOR')[0]).toBe(given[0]);
    expect(surrogates.of('X. Patel', 'DOCTOR')).toBe(surrogates.of('X. Patel', 'DOCTOR'));
  });

  test('leave the time of day, the words before an extension and the shape of addresses on networks', () => {
    const surrogates = new Surrogates();
    expect(surrogates.of('11/09/2021 14:22', 'DATE')).toMatch(/^\d\d\/\d\d\/\d{4} 14:22$/);
    expect(surrogates.of('3 May 2021 at 9:05', 'DATE')).toMatch(/^\d+ \p{L}+ \d{4} at 9:05$/u);
    expect(surrogates.of('(508) 555-0199 x12', 'CONTACT')).toMatch(/^\(\d{3}\) \d{3}-\d{4} x\d\d$/);
    expect(surrogates.of('020 7946 0958, ext. 4', 'PHONE')).toMatch(/, ext\. \d$/);
    expect(surrogates.of('jane@mail.example.com', 'CONTACT')).toMatch(/^\w+@example\.org$/);
    expect(surrogates.of('www.example.com/a', 'CONTACT')).toMatch(/^https:\/\/example\.org\//);
  });

  test('move all dates by one number of days', () => {
    const surrogates = new Surrogates();
    const day = (date: string) => Date.parse(surrogates.of(date, 'DATE')) / 86_400_000;
    const [first, second] = [day('2018-05-03'), day('2018-06-13')];
    expect(second - first).toBe(41);
    expect(first).not.toBe(Date.parse('2018-05-03') / 86_400_000);
  });

  test('read days and months in one order, that of the dates that leave no doubt', () => {
    const dates = ['03/05/2018', '25/12/2018', '04/13/2018', '26.12.2018', '03/05/2018'];
    const mentions = dates.map((phi) => ({ phi, type: 'DATE' }));
    for (let round = 0; round < 20; round++) {
      const surrogates = new Surrogates('en', mentions);
      const moved = dates.map((phi) => surrogates.of(phi, 'DATE'));
      expect(moved[4]).toBe(moved[0]);
      const dayFirst = (date = '') => {
        const [day = 0, month = 0, year = 0] = date.split(/[./]/).map(Number);
        return Date.UTC(year, month - 1, day) / 86_400_000;
      };
      expect(dayFirst(moved[1]) - dayFirst(moved[0])).toBe(236);
    }
  });

  test.each([
    ['en', '04/14/2018'],
    ['en-US', '04/14/2018'],
    ['en-PH', '04/14/2018'],
    ['en-GB', '12/06/2018'],
    ['en-AU', '12/06/2018'],
    ['es', '12/06/2018'],
    ['es-US', '12/06/2018'],
  ] as const)('read dates that leave doubt by the region: %s', (locale, moved) => {
    const mentions = ['03/05/2018', '2018-05-13', '2018-05-20'].map((phi) => ({
      phi,
      type: 'DATE',
    }));
    const surrogates = new Surrogates(locale, mentions, undefined, { days: 40, years: 1 });
    expect(surrogates.of('03/05/2018', 'DATE')).toBe(moved);
  });

  test('keep a date without its year together with the one that has it', () => {
    const dates = ['3 May 2018', '3 May', '12/2018', '1 January 2000'];
    const mentions = dates.map((phi) => ({ phi, type: 'DATE' }));
    const surrogates = new Surrogates('en', mentions, undefined, { days: -80, years: 1 });
    expect(surrogates.of('3 May 2018', 'DATE')).toBe('12 February 2018');
    expect(surrogates.of('3 May', 'DATE')).toBe('12 February');
  });

  test.each([
    [['12/03/1950', '03/05/2020', '3 May'], '24 January'],
    [['12/03/1950', '12/03/1950', '12/03/1948', '03/05/2020', '3 May'], '24 January'],
    [['12/03/1950', '03/05/2019', '05/01/2064', '3 May'], '23 January'],
    [['05/01/2064', '3 May'], '24 January'],
  ])('of %j the last moves as of the year of the last date that has begun: %s', (dates, moved) => {
    const mentions = dates.map((phi) => ({ phi, type: 'DATE' }));
    const surrogates = new Surrogates('en-GB', mentions, undefined, { days: -100, years: 1 });
    expect(surrogates.of('3 May', 'DATE')).toBe(moved);
  });

  test('name months in the language of the note, wherever one of them is of a single one', () => {
    const moved = (language: 'en' | 'es', ...dates: string[]) => {
      const mentions = dates.map((phi) => ({ phi, type: 'DATE' }));
      const surrogates = new Surrogates(language, mentions, undefined, { days: -99, years: 1 });
      return dates.map((phi) => surrogates.of(phi, 'DATE'));
    };
    expect(moved('es', '12 may 2018')).toEqual(['2 febrero 2018']);
    expect(moved('es', '12 May 2018', '3 Aug 2018')).toEqual(['2 February 2018', '26 April 2018']);
    expect(moved('en', '12 may 2018', '3 ago 2018')).toEqual(['2 febrero 2018', '26 abril 2018']);
    expect(moved('en', 'lunes 7 may 2018')).toEqual(['domingo 28 enero 2018']);
    expect(moved('en', '12 Apr 2018', '3 de mayo')).toEqual(['3 January 2018', '24 de enero']);
  });

  test('are different for different names', () => {
    const names = Array.from(
      { length: 600 },
      (_, i) => `Name${'abcdefghij'[i % 10]}${'x'.repeat(i)}`,
    );
    const surrogates = new Surrogates();
    const drawn = names.map((name) => surrogates.of(name, 'NAME').toLowerCase());
    expect(new Set(drawn).size).toBe(names.length);
  });

  test('are found where all others are taken', () => {
    const surrogates = new Surrogates();
    for (const digit of '0123456789') expect(surrogates.of(digit, 'ID')).toMatch(/^\d$/);
  });

  test('are drawn whatever stood there, which may come again as any other does', async () => {
    const family = Array.from(
      { length: 200 },
      (_, i) => `Na${'abcdefghij'[i % 10]}${'o'.repeat(i)}`,
    );
    const scheme = loadLabelScheme('meddocan');
    const made = await createInventory(scheme, { languages: ['es'] });
    const inventory = new Inventory({ ...made, lists: { ...made.lists, family } });
    const [name = ''] = family;
    const mentions = [{ phi: `${name} Ruiz`, type: 'NAME' }];
    const drawn = Array.from({ length: 3000 }, () =>
      new Surrogates('es', mentions, inventory).of(name, 'NAME'),
    );
    expect(new Set(drawn)).toEqual(new Set(family));
  });

  test.each([
    [[], /^[A-Z]\.$/],
    [['Julia Smith'], /^[A-Z]\.$/],
  ] as const)('never say by a type which letter an initial was, beside %j', (names, initial) => {
    const drawn = Array.from({ length: 400 }, () => {
      const mentions = [...names, 'J.'].map((phi) => ({ phi, type: 'PERSON' }));
      const surrogates = new Surrogates('en', mentions);
      return mentions.map(({ phi, type }) => surrogates.of(phi, type)).at(-1) as string;
    });
    for (const each of drawn) expect(each).toMatch(initial);
    expect(drawn).toContain('J.');
    expect(new Set(drawn).size).toBeGreaterThan(10);
  });

  test('keep the shape of numbers and give the same number the same', () => {
    const surrogates = new Surrogates();
    const number = surrogates.of('MRN-0042-ab', 'MEDICALRECORD');
    expect(number).toMatch(/^[A-Z]{3}-\d{4}-[a-z]{2}$/);
    expect(number).not.toBe('MRN-0042-ab');
    expect(surrogates.of('MRN-0042-ab', 'MEDICALRECORD')).toBe(number);
  });

  test.each([
    ['S. Kumar', 'en', /^S\./],
    ['Dr. D. Kumar', 'es', /^Dr\. D\./],
    ['Y. Tanaka', 'en', /^Y\./],
  ] as const)('keep no initial: %s', (name, language, initial) => {
    const drawn = Array.from({ length: 40 }, () => new Surrogates(language).of(name, 'NAME'));
    expect(drawn.filter((each) => initial.test(each)).length).toBeLessThan(20);
    for (const each of drawn) expect(each).toMatch(/^(Dr\. )?\p{Lu}\. \p{L}+$/u);
  });

  test.each([
    ['Don Draper', 'en', 'Don'],
    ['Van Nguyen', 'en', 'Van'],
    ['La Toya Jackson', 'en', 'La'],
    ['MD Rahman', 'en', 'MD'],
    ['Ann Las', 'en', 'Las'],
    ['Smith ②', 'en', '②'],
  ] as const)('keep no word that may be a name: %s', (name, language, word) => {
    const drawn = Array.from({ length: 10 }, () => new Surrogates(language).of(name, 'NAME'));
    expect(drawn.filter((each) => each.split(' ').includes(word)).length).toBeLessThan(10);
  });

  test.each([
    ['Don Luis de la Cruz', 'es', /^Don \p{Lu}\p{L}+ de la \p{Lu}\p{L}+$/u],
    ['MARÍA DE LA CRUZ', 'es', /^\p{Lu}+ DE LA \p{Lu}+$/u],
    ["Mrs. Ann van Dyck's", 'en', /^Mrs\. \p{Lu}\p{L}+ van \p{Lu}\p{L}+'s$/u],
    ['Smith, MD', 'en', /^\p{Lu}\p{L}+, MD$/u],
  ] as const)('keep titles and the words between names: %s', (name, language, shape) => {
    expect(new Surrogates(language).of(name, 'NAME')).toMatch(shape);
  });

  test.each(['72 (setenta y dos) años', 'sixty-three (63)', '3 years and two months', '2½ years'])(
    'keep no age in words: %s',
    (age) => {
      expect(new Surrogates().of(age, 'AGE')).toBe('[AGE]');
    },
  );

  test.each([
    ...['late 60s', '60’s', '60‘s', '60´s', '52nd year'],
    ...['5.5 years', '57,5', '5/12', '3 / 7', '5 y 11 m', '5 years and 11 months', '5, 7 and 9'],
  ])('never say of %s by how much all ages of the note moved', (age) => {
    expect(new Surrogates().of(age, 'AGE')).toBe('[AGE]');
  });

  test.each([
    ...['40-50', '40 – 50 years', 'aged 40 to 50', 'de 40 a 50 años', 'entre 40 y 50'],
    ...['40yo-50yo', '40 years - 50 years', '40 años a 50 años', '40 and 50', '40 y 50 años'],
    ...['∼60', '≧65', '≦18', '⩾65', '⩽18', '＞65', '＜18'],
    ...['65+', '>65', '≤ 18 años', 'over 65', 'under 18', 'about 60', 'más de 65', 'menor de 18'],
  ])('nor of %s, which is round', (age) => {
    expect(new Surrogates().of(age, 'AGE')).toBe('[AGE]');
  });

  test.each(['57 y/o', '5 year’s', '57-year-old', '18 months'])(
    'move %s, of which nothing but the digits is told',
    (age) => {
      const moved = new Surrogates().of(age, 'AGE');
      expect(moved.replace(/\d+/g, '#')).toBe(age.replace(/\d+/g, '#'));
    },
  );

  test('let no date of the past come to lie ahead', () => {
    const today = new Date().toISOString().slice(0, 10);
    const mentions = ['2018-05-03', today, '9999-12-31'].map((phi) => ({ phi, type: 'DATE' }));
    for (let round = 0; round < 100; round++)
      expect(new Surrogates('en', mentions).of(today, 'DATE') < today).toBe(true);
  });

  test('stand for as many dates as a note has, each by itself', () => {
    const mentions = Array.from({ length: 130_000 }, () => ({ phi: '2018-05-03', type: 'DATE' }));
    const surrogates = new Surrogates('en', mentions, undefined, { days: 1, years: 1 });
    expect(surrogates.of('2018-05-03', 'DATE')).toBe('2018-05-04');
  });

  test('move a weekday with its date', () => {
    for (let round = 0; round < 20; round++) {
      const moved = new Surrogates().of('Monday, 8 October 2018', 'DATE');
      const [weekday, date = ''] = moved.split(', ');
      const day = new Date(`${date} UTC`).getUTCDay();
      const names = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
      expect(weekday).toBe(names[day]);
    }
    const days = { days: 1, years: 1 };
    const moved = (date: string) => new Surrogates('en', [], undefined, days).of(date, 'DATE');
    expect(
      [
        'Tues. 25 Feb 2019',
        '26 Mar 2019 (Sat)',
        'Thur 25 Mar',
        'lun 8/7/2018',
        'mié, 14 de julio',
      ].map(moved),
    ).toEqual([
      ...[
        'Wed. 26 February 2019',
        '27 March 2019 (Sun)',
        'Fri 26 March',
        'mar 08/08/2018',
        'jue, 15 de julio',
      ],
    ]);
    for (const type of ['DATE', 'PHI'])
      expect(new Surrogates('es', [], undefined, days).of('mar 26/03/2019', type)).toBe(
        'mié 27/03/2019',
      );
    expect(new Surrogates('es').of('LUNES 8 de octubre', 'FECHAS')).toMatch(/^\p{Lu}+ \d+ de /u);
  });

  test.each([
    'Christmas 2018',
    '25/12 (Navidad)',
    'May third 2018',
    'verano de 2018',
    'the 1990s',
    '⑤ May 2018',
    'Ⅻ/2018',
    '2018-05-1²',
  ])('keep no word or number that says which day it was: %s', (date) => {
    expect(new Surrogates().of(date, 'DATE')).toBe('[DATE]');
  });

  test.each(['9999-12-31', '31/12/2199', '01/01/1900', 'January 1, 1753'])(
    'say by no date that stands where none is known how far all others moved: %s',
    (date) => {
      expect(new Surrogates().of(date, 'DATE')).toBe('[DATE]');
    },
  );

  test('keep no accent of a number', () => {
    expect(new Surrogates().of('e\u0301-1', 'ID')).toMatch(/^[a-z]-\d$/);
  });

  test('join all ages over 89', () => {
    const surrogates = new Surrogates();
    expect(surrogates.of('97 years', 'AGE')).toBe('90 years');
    expect(surrogates.of('45', 'AGE')).toMatch(/^4[2-8]$/);
  });

  test.each(['90', '91', '104'])('never tell the age of %s from others over 89', (age) => {
    for (let round = 0; round < 20; round++)
      expect(new Surrogates().of(`${age} years`, 'AGE')).toBe('90 years');
  });

  test.each([
    ['03/05/1920', '04/13/2018', true],
    ['04/13/1928', '04/13/2018', true],
    ['04/14/1928', '04/13/2018', false],
    ['April 1928', '04/13/2018', true],
    ['May 1928', '04/13/2018', false],
    ['1928', '2018', true],
    ['1929', '2018', false],
    ['03/05/1920', '03/05/1920', true],
    ['03/05/1920', '3 May', true],
  ])('give away no age over 89 by the date of birth: %s beside %s', (birth, visit, isOld) => {
    const mentions = [birth, visit].map((phi) => ({ phi, type: 'DATE' }));
    const surrogates = new Surrogates('en', mentions, undefined, { days: 10, years: 1 });
    expect(surrogates.of(birth, 'DATE') === '[DATE]').toBe(isOld);
    if (visit !== birth) expect(surrogates.of(visit, 'DATE')).not.toBe('[DATE]');
  });

  test.each([
    [10, -700, true],
    [10, -5, false],
    [-10, -1, true],
    [-10, 300, false],
  ])(
    'decide of a date of birth alone by what it became: %i days short of 90 years, moved by %i',
    (days, shift, isOld) => {
      const ago = new Date();
      ago.setUTCFullYear(ago.getUTCFullYear() - 90, ago.getUTCMonth(), ago.getUTCDate() + days);
      const birth = ago.toISOString().slice(0, 10);
      const moved = (...dates: string[]) => {
        const mentions = dates.map((phi) => ({ phi, type: 'DATE' }));
        const surrogates = new Surrogates('en', mentions, undefined, { days: shift, years: 1 });
        return surrogates.of(birth, 'DATE');
      };
      expect(moved(birth) === '[DATE]').toBe(isOld);
      expect(moved(birth, '2018-05-03')).not.toBe('[DATE]');
    },
  );

  test.each([
    ...['May 2018', '05/2018', '2018'].map((date) => [date, 'DATE'] as const),
    ...['May 2018', '05/2018', 'in 2018'].map((date) => [date, 'PHI'] as const),
  ])(
    'never say by a type that %s came to be what it was, and how little all dates moved: %s',
    (date, type) => {
      const drawn = Array.from({ length: 400 }, () => new Surrogates().of(date, type));
      expect(drawn).not.toContain(`[${type}]`);
      expect(drawn).toContain(date);
      expect(new Set(drawn).size).toBeGreaterThan(2);
    },
  );

  test('take digits alone for any number where the scheme has one type', () => {
    const drawn = Array.from({ length: 100 }, () => new Surrogates().of('2018', 'PHI'));
    for (const each of drawn) expect(each).toMatch(/^\d{4}$/);
    expect(new Set(drawn).size).toBeGreaterThan(50);
  });

  test.each(['old', 'a year', 'aged'])('leave no age without digits: %s', (age) => {
    expect(new Surrogates().of(age, 'AGE')).toBe('[AGE]');
  });

  test('go by the shape of the mention where the scheme has one type', () => {
    const surrogates = new Surrogates();
    expect(surrogates.of('Ana', 'PHI')).toMatch(/^\p{Lu}\p{L}+$/u);
    expect(surrogates.of('03/05/2018', 'PHI')).toMatch(/^\d\d\/\d\d\/\d{4}$/);
    expect(surrogates.of('555-123-999', 'PHI')).toMatch(/^\d{3}-\d{3}-\d{3}$/);
  });

  test('are other ones in another document', () => {
    const names = Array.from({ length: 8 }, () => new Surrogates().of('Ruiz', 'NAME'));
    expect(new Set(names).size).toBeGreaterThan(1);
  });

  test('leave nothing in place of which nothing was drawn, whatever type it has', () => {
    const types = ['NAME', 'PHONE', 'CITY', 'STREET', 'EMAIL', 'URL', 'PHI', 'OTHER'];
    const mention = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !/[\p{L}\p{N}]/u.test(text)),
      fc.constantFrom('-', ':', 'de la', 'Dr.', 'Mrs.', '…'),
    );
    fc.assert(
      fc.property(mention, fc.constantFrom(...types), (phi, type) => {
        expect(new Surrogates().of(phi, type).toLowerCase()).not.toBe(phi.toLowerCase());
      }),
    );
  });

  test('never are a date with its day, nor an age but the least and those over 89', () => {
    const mention = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc
        .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
      fc.integer({ min: 0, max: 120 }).map((age) => `${age} years`),
      fc.constantFrom('-', 'ochenta', 'eighty-four', '١٢', 'X', '7', '…'),
    );
    fc.assert(
      fc.property(mention, fc.constantFrom('DATE', 'AGE'), (phi, type) => {
        const isSame = new Surrogates().of(phi, type).toLowerCase() === phi.toLowerCase();
        const number = Number(/\d+/.exec(phi)?.[0]);
        expect(isSame).toBe(isSame && type === 'AGE' && (number === 1 || number === 90));
      }),
    );
  });

  test('fall back to the type where nothing can be made up', () => {
    expect(new Surrogates().of('soon', 'DATE')).toBe('[DATE]');
    expect(new Surrogates().of('x', 'OTHER')).toBe('[OTHER]');
  });

  test('are of the inventory where it has some of the type, one for one mention', async () => {
    const scheme = loadLabelScheme('meddocan');
    const inventory = new Inventory(await createInventory(scheme, { languages: ['es'] }));
    const surrogates = new Surrogates('es', [], inventory);
    const kin = surrogates.of('mi hermana', 'FAMILIARES_SUJETO_ASISTENCIA');
    expect(kin).not.toMatch(/[[\]]/);
    expect(surrogates.of('Mi hermana', 'FAMILIARES_SUJETO_ASISTENCIA')).toBe(kin);
    const families = inventory.file.lists.family ?? [];
    const name = surrogates.of('Ruiz', 'NOMBRE_SUJETO_ASISTENCIA');
    expect(families).toContain(name);
    expect(surrogates.of('Ruiz', 'NOMBRE_PERSONAL_SANITARIO')).toBe(name);
    expect(surrogates.of('15', 'OTROS_SUJETO_ASISTENCIA')).toBe('[OTROS_SUJETO_ASISTENCIA]');
  });

  test('say of no sex which it was by being another', async () => {
    const scheme = loadLabelScheme('meddocan');
    const inventory = new Inventory(await createInventory(scheme, { languages: ['es'] }));
    const drawn = ['mujer', 'varón'].map((sex) =>
      Array.from({ length: 200 }, () =>
        new Surrogates('es', [], inventory).of(sex, 'SEXO_SUJETO_ASISTENCIA'),
      ),
    );
    const [women, men] = drawn.map((each) => new Set(each));
    expect(women).toEqual(men);
  });

  test('are of an inventory alone, whatever stood there', async () => {
    const lists = [{ name: 'one', type: 'TERRITORIO', text: 'Toledo' }];
    const inventory = new Inventory(await createInventory(loadLabelScheme('meddocan'), { lists }));
    const surrogates = new Surrogates('es', [], inventory);
    expect(surrogates.of('TOLEDO', 'TERRITORIO')).toBe('TOLEDO');
    expect(surrogates.of('Teruel', 'TERRITORIO')).toBe('Toledo');
  });
});
