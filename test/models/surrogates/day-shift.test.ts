import { expect, test } from '@jest/globals';
import { dayFirstIn, shiftDays } from '../../../models/surrogates/day-shift.js';

const READING = { dayFirst: true, language: 'en', year: 2000 } as const;

test.each([
  ['03/05/2018', '13/05/2018'],
  ['3-5-18', '13-05-18'],
  ['2018-05-03', '2018-05-13'],
  ['25.12.1999', '04.01.2000'],
  ['3 de mayo de 2018', '13 de mayo de 2018'],
  ['25 de Diciembre de 1999', '4 de Enero de 2000'],
  ['May 3, 2018', 'May 13, 2018'],
  ['28 FEB 2020', '9 MARCH 2020'],
  ['12/2018', '12/2018'],
  ['25/12', '04/01'],
  ['mayo de 2018', 'mayo de 2018'],
  ['2018', '2018'],
  ['3rd of May', '13th of May'],
  ['May 21st, 2018', 'May 31st, 2018'],
  ['22ND of MARCH', '1ST of APRIL'],
  ['1ro de mayo', '11 de mayo'],
  ['1º de mayo', '11 de mayo'],
  ['21.º de abril', '1 de mayo'],
  ["May '18", "May '18"],
  ['28 Dec ’18', '7 January ’19'],
  ['12-sept-2018', '22-sep-2018'],
  ['5 de setiembre de 2018', '15 de septiembre de 2018'],
  ...["'", '’', '‘', '`', '´', 'ʼ', '′'].map((mark) => [`20 May ${mark}18`, `30 May ${mark}18`]),
  ...["'", '’', '‘', '`', '´', 'ʼ', '′'].map((mark) => [`May ${mark}18`, `May ${mark}18`]),
])('%s ten days later is %s', (date, moved) => {
  expect(shiftDays(date, 10)).toBe(moved);
});

test.each([
  ['mar 3 de abril', 'vie 13 de abril'],
  ['mar 27/03/2018', 'vie 06/04/2018'],
  ['27-03-18 mar', '06-04-18 vie'],
  ['2018-03-27 (mar)', '2018-04-06 (vie)'],
  ['mar 3 mar', 'vie 13 marzo'],
  ['3 mar 2019 (mar)', '13 marzo 2019 (vie)'],
  ['3 mar, mar', '13 marzo, vie'],
  ['03-mar-2019 (mar)', '13-mar-2019 (vie)'],
  ['mar, 3 mar 2019', 'vie, 13 marzo 2019'],
  ['3 de mar. (mar.)', '13 de marzo (vie.)'],
])('in Spanish one `mar` is a Tuesday: %s, ten days later %s', (date, moved) => {
  expect(shiftDays(date, 10, { ...READING, language: 'es' })).toBe(moved);
});

test.each([
  ...['Mar 5-7', 'Mar 5/7', 'Mar. 10-12', '5-7 Mar', 'Mar 5 - 7', 'Mar 5-7, 2018'],
  ...['mar 27/03/2018', 'Mar to May 2018', 'Mar 3 - May 2018', 'Mar-Mar 2018'],
])('in English it is the month: %s is no single day', (date) => {
  expect(shiftDays(date, 10)).toBeUndefined();
});

test.each([
  ...[
    '5-7 mar',
    'mar 3/4',
    '5/7 mar',
    '5-7 mar 2018',
    'mar-may 2018',
    'mar-may ’18',
    'mar a abr de 2018',
  ],
  ...['3 de mar a may', 'mar mar', '3 mar mar 2019'],
])('nor does it hide a range in Spanish: %s', (date) => {
  expect(shiftDays(date, 10, { ...READING, language: 'es' })).toBeUndefined();
});

test('month first where the reader says so or the numbers do', () => {
  expect(shiftDays('03/05/2018', 10, { ...READING, dayFirst: false })).toBe('03/15/2018');
  expect(shiftDays('12/25/1999', 10)).toBe('01/04/2000');
  expect([dayFirstIn('25/12'), dayFirstIn('12/25'), dayFirstIn('10/11')]).toEqual([
    true,
    false,
    undefined,
  ]);
  expect([dayFirstIn('2018-05-13'), dayFirstIn('13 / 05 / 2018')]).toEqual([undefined, true]);
});

test.each(['yesterday', '', '99/99/2018', '7 weeks', '3 May 2018 at 14:30', '1 to 5/6/2018'])(
  '%j is no date that could be moved whole',
  (text) => {
    expect(shiftDays(text, 10)).toBeUndefined();
  },
);

test.each([
  [2018, '1 May', '20 February'],
  [2020, '1 May', '21 February'],
  [2018, '29 Feb', '21 December'],
])('a date without a year moves as one of %i: %s', (year, date, moved) => {
  expect(shiftDays(date, -70, { ...READING, year })).toBe(moved);
});

test('what lies between dates stays the same', () => {
  const days = (date: string) => Date.parse(shiftDays(date, -300) ?? '') / 86_400_000;
  expect(days('2018-05-03') - days('2018-02-01')).toBe(91);
});

/** Each day of two years, as an author writes it. */
function everyDay(write: (year: number, month: number, day: number) => string): string[] {
  return Array.from({ length: 731 }, (_, i) => {
    const date = new Date(Date.UTC(2015, 0, 1 + i));
    return write(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  });
}

const EN = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const AP = 'Jan. Feb. March April May June July Aug. Sept. Oct. Nov. Dec.'.split(' ');
const ES = 'ene feb mar abr may jun jul ago sept oct nov dic'.split(' ');
const MESES =
  'enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre'.split(
    ' ',
  );
const THURS = 'Sun Mon Tues Weds Thurs Fri Sat'.split(' ');
const two = (number: number) => `${number}`.padStart(2, '0');

test.each([
  ['M/D/YYYY', 'en', everyDay((y, m, d) => `${m + 1}/${d}/${y}`)],
  ['MM/DD/YYYY', 'en', everyDay((y, m, d) => `${two(m + 1)}/${two(d)}/${y}`)],
  ['YYYY-M-D', 'en', everyDay((y, m, d) => `${y}-${m + 1}-${d}`)],
  ['D Mon YYYY', 'en', everyDay((y, m, d) => `${d} ${EN[m]} ${y}`)],
  ['DDMONYYYY', 'en', everyDay((y, m, d) => `${two(d)}${EN[m]?.toUpperCase()}${y}`)],
  ['Mon. D, YYYY', 'en', everyDay((y, m, d) => `${AP[m]} ${d}, ${y}`)],
  ['D mes YYYY', 'es', everyDay((y, m, d) => `${d} ${ES[m]} ${y}`)],
  ['1º de mes', 'es', everyDay((y, m, d) => `${d}${d === 1 ? 'º' : ''} de ${MESES[m]} de ${y}`)],
  [
    'Thurs D/M/YYYY',
    'en',
    everyDay((y, m, d) => `${THURS[new Date(Date.UTC(y, m, d)).getUTCDay()]} ${d}/${m + 1}/${y}`),
  ],
] as const)('%s is written alike whatever day it was', (form, language, days) => {
  const reading = { ...READING, dayFirst: form.startsWith('Thurs'), language };
  const moved = days.map((day) => shiftDays(day, 60, reading));
  const back = days.map((day) => shiftDays(day, -60, reading));
  expect(moved).not.toContain(undefined);
  expect(new Set(back.slice(120))).toEqual(new Set(moved.slice(0, -120)));
});
