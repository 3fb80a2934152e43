import { expect, test } from '@jest/globals';
import { dayFirstIn, shiftDays } from '../../../models/surrogates/day-shift.js';

test.each([
  ['03/05/2018', '13/05/2018'],
  ['3-5-18', '13-5-18'],
  ['2018-05-03', '2018-05-13'],
  ['25.12.1999', '04.01.2000'],
  ['3 de mayo de 2018', '13 de mayo de 2018'],
  ['25 de Diciembre de 1999', '4 de Enero de 2000'],
  ['May 3, 2018', 'May 13, 2018'],
  ['28 FEB 2020', '9 MAR 2020'],
  ['12/2018', '12/2018'],
  ['25/12', '04/01'],
  ['mayo de 2018', 'mayo de 2018'],
  ['2018', '2018'],
  ['3rd of May', '13th of May'],
  ['May 21st, 2018', 'May 31st, 2018'],
  ['22ND of MARCH', '1ST of APRIL'],
  ['1ro de mayo', '11 de mayo'],
  ['3º de mayo', '13º de mayo'],
  ["May '18", "May '18"],
  ['28 Dec ’18', '7 Jan ’19'],
  ...["'", '’', '‘', '`', '´', 'ʼ', '′'].map((mark) => [`20 May ${mark}18`, `30 May ${mark}18`]),
  ...["'", '’', '‘', '`', '´', 'ʼ', '′'].map((mark) => [`May ${mark}18`, `May ${mark}18`]),
])('%s ten days later is %s', (date, moved) => {
  expect(shiftDays(date, 10)).toBe(moved);
});

test('month first where the reader says so or the numbers do', () => {
  expect(shiftDays('03/05/2018', 10, false)).toBe('03/15/2018');
  expect(shiftDays('12/25/1999', 10)).toBe('01/04/2000');
  expect([dayFirstIn('25/12'), dayFirstIn('12/25'), dayFirstIn('10/11')]).toEqual([
    true,
    false,
    undefined,
  ]);
});

test.each(['yesterday', '', '99/99/2018', '7 weeks', '3 May 2018 at 14:30', '1 to 5/6/2018'])(
  '%j is no date that could be moved whole',
  (text) => {
    expect(shiftDays(text, 10)).toBeUndefined();
  },
);

test('what lies between dates stays the same', () => {
  const days = (date: string) => Date.parse(shiftDays(date, -300) ?? '') / 86_400_000;
  expect(days('2018-05-03') - days('2018-02-01')).toBe(91);
});
