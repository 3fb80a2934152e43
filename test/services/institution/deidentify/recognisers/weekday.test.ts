import { describe, expect, test } from '@jest/globals';
import { measurementsIn } from '../../../../../services/institution/deidentify/recognisers/measurements.js';
import { withWeekday } from '../../../../../services/institution/deidentify/recognisers/weekday.js';

const widened = (text: string, phi: string, type = 'DATE') => {
  const start = text.indexOf(phi);
  const span = { type, start, end: start + phi.length };
  const { start: from, end } = withWeekday(span, text, measurementsIn(text));
  return text.slice(from, end);
};

describe('a weekday beside a date is of it', () => {
  test.each([
    ['seen Mon 25 Mar 2019.', '25 Mar 2019', 'Mon 25 Mar 2019'],
    ['seen on Monday, 25/03/2019', '25/03/2019', 'Monday, 25/03/2019'],
    ['Tues. 3/5/18', '3/5/18', 'Tues. 3/5/18'],
    ['since Friday the 13th of May', '13th of May', 'Friday the 13th of May'],
    ['sat 14 june 2018', '14 june 2018', 'sat 14 june 2018'],
    ['25/03/2019 (Mon) well', '25/03/2019', '25/03/2019 (Mon)'],
    ['25 March 2019, Monday', '25 March 2019', '25 March 2019, Monday'],
    ['el sábado 14 de julio de 2018', '14 de julio de 2018', 'sábado 14 de julio de 2018'],
    ['MIÉRCOLES, DÍA 14/07/2018', '14/07/2018', 'MIÉRCOLES, DÍA 14/07/2018'],
    ['sa\u0301bado 14/07/2018', '14/07/2018', 'sa\u0301bado 14/07/2018'],
    ['mar 26/03/2019, mié', '26/03/2019', 'mar 26/03/2019, mié'],
    ['Monday: 03/04/2019', '03/04/2019', 'Monday: 03/04/2019'],
    ['Monday/03/04/2019', '03/04/2019', 'Monday/03/04/2019'],
    ['Monday — 03/04/2019', '03/04/2019', 'Monday — 03/04/2019'],
    ['Monday\n03/04/2019', '03/04/2019', 'Monday\n03/04/2019'],
    ['Monday:\r\n03/04/2019', '03/04/2019', 'Monday:\r\n03/04/2019'],
    ['03/04/2019\nMonday 10:30', '03/04/2019', '03/04/2019\nMonday'],
    ['Sunday\n25/03/2019\nMonday', '25/03/2019', 'Sunday\n25/03/2019\nMonday'],
    ['Sunday\n25/03/2019\nMonday\n26/03/2019', '25/03/2019', 'Sunday\n25/03/2019'],
    ['Mon [03/04/2019], well', '03/04/2019', 'Mon [03/04/2019]'],
    ['[Mon] 03/04/2019', '03/04/2019', '[Mon] 03/04/2019'],
    ['03/04/2019 10:30 Monday', '03/04/2019', '03/04/2019 10:30 Monday'],
    ['03/04/2019 at 10:30 pm (Monday)', '03/04/2019', '03/04/2019 at 10:30 pm (Monday)'],
    ['(seen 25/03/2019 Monday) ok', '25/03/2019', '25/03/2019 Monday'],
    ['14/06/2018 sat, 97% of them', '14/06/2018', '14/06/2018 sat'],
    ['on Monday 10:30 03/04/2019', '03/04/2019', 'Monday 10:30 03/04/2019'],
    ['Monday at 10:30, 03/04/2019', '03/04/2019', 'Monday at 10:30, 03/04/2019'],
    ['Monday, 10 a.m. on 03/04/2019', '03/04/2019', 'Monday, 10 a.m. on 03/04/2019'],
    ['Monday 10:30-11:00 03/04/2019', '03/04/2019', 'Monday 10:30-11:00 03/04/2019'],
    ['Monday 1030 03/04/2019', '03/04/2019', 'Monday 1030 03/04/2019'],
    ['Monday of 03/04/2019', '03/04/2019', 'Monday of 03/04/2019'],
    ['lunes a las 10:30 del 03/04/2019', '03/04/2019', 'lunes a las 10:30 del 03/04/2019'],
    ['lunes\n10.30 h\n03/04/2019', '03/04/2019', 'lunes\n10.30 h\n03/04/2019'],
    ['Monday morning 03/04/2019', '03/04/2019', 'Monday morning 03/04/2019'],
    ['Monday, late evening, 03/04/2019', '03/04/2019', 'Monday, late evening, 03/04/2019'],
    [
      'el lunes a las 10:30 de la man\u0303ana del día 03/04/2019',
      '03/04/2019',
      'lunes a las 10:30 de la man\u0303ana del día 03/04/2019',
    ],
    ['03/04/2019 por la tarde, lunes', '03/04/2019', '03/04/2019 por la tarde, lunes'],
    ['2019-04-03T10:30:22Z Monday', '2019-04-03', '2019-04-03T10:30:22Z Monday'],
    ['2019-04-03T10:30+02:00 (Mon)', '2019-04-03', '2019-04-03T10:30+02:00 (Mon)'],
    ['03/04/2019 10:30:22.123 Monday', '03/04/2019', '03/04/2019 10:30:22.123 Monday'],
    ['03/04/2019 10.30h lunes', '03/04/2019', '03/04/2019 10.30h lunes'],
    ['03/04/2019 10:30 pm Monday', '03/04/2019 10:30', '03/04/2019 10:30 pm Monday'],
    ['Monday -- 03/04/2019', '03/04/2019', 'Monday -- 03/04/2019'],
    ['| Monday | 03/04/2019 |', '03/04/2019', 'Monday | 03/04/2019'],
    ['**Monday**: 03/04/2019', '03/04/2019', 'Monday**: 03/04/2019'],
    ['03/04/2019 was a Monday', '03/04/2019', '03/04/2019 was a Monday'],
    ['seen 03/04/2019 on Monday', '03/04/2019', '03/04/2019 on Monday'],
    [
      'lunes a las 10 de la mañana, 3 de mayo de 2018',
      '3 de mayo de 2018',
      'lunes a las 10 de la mañana, 3 de mayo de 2018',
    ],
    [
      'Monday at 10 in the morning, 3 May 2018',
      '3 May 2018',
      'Monday at 10 in the morning, 3 May 2018',
    ],
    ['Monday at 10, 3 May 2018', '3 May 2018', 'Monday at 10, 3 May 2018'],
    ['lunes a las 10,30 h del 3 de mayo', '3 de mayo', 'lunes a las 10,30 h del 3 de mayo'],
    ['Monday 10:00 to 11:00, 03/04/2019', '03/04/2019', 'Monday 10:00 to 11:00, 03/04/2019'],
    [
      'lunes desde las 10:00 a 11:00 h, 03/04/2019',
      '03/04/2019',
      'lunes desde las 10:00 a 11:00 h, 03/04/2019',
    ],
    [
      'Monday between 10 am and 11 am, 03/04/2019',
      '03/04/2019',
      'Monday between 10 am and 11 am, 03/04/2019',
    ],
    ['Monday around 10:30, 03/04/2019', '03/04/2019', 'Monday around 10:30, 03/04/2019'],
    ['lunes sobre las 10:30, 03/04/2019', '03/04/2019', 'lunes sobre las 10:30, 03/04/2019'],
    ['Monday ~10:30, 03/04/2019', '03/04/2019', 'Monday ~10:30, 03/04/2019'],
    ['Monday @ 10:30 03/04/2019', '03/04/2019', 'Monday @ 10:30 03/04/2019'],
    ['Day: Monday Date: 03/04/2019', '03/04/2019', 'Monday Date: 03/04/2019'],
    ['Día: lunes\nFecha: 03/04/2019', '03/04/2019', 'lunes\nFecha: 03/04/2019'],
    ['Date: 03/04/2019 Day: Monday', '03/04/2019', '03/04/2019 Day: Monday'],
    ['Fecha: 03/04/2019\nDía: lunes', '03/04/2019', '03/04/2019\nDía: lunes'],
    ['03/04/2019 which was a Monday', '03/04/2019', '03/04/2019 which was a Monday'],
    ['03/04/2019 falls on Monday', '03/04/2019', '03/04/2019 falls on Monday'],
    ['03/04/2019, que fue lunes', '03/04/2019', '03/04/2019, que fue lunes'],
    ['03/04/2019\nMonday 10 am', '03/04/2019', '03/04/2019\nMonday'],
    ['03/04/2019\nMonday 10 in the morning', '03/04/2019', '03/04/2019\nMonday'],
  ])('%s', (text, date, expected) => {
    expect(widened(text, date)).toBe(expected);
    expect(widened(text, date, 'DATE_TIME')).toBe(expected);
    expect(widened(text, date, 'FECHAS')).toBe(expected);
  });

  test.each([
    ['he sat down on 14 June 2018', '14 June 2018'],
    ['Salmon 25/03/2019', '25/03/2019'],
    ['25/03/2019 Sunderland', '25/03/2019'],
    ['Sunday\n\n25/03/2019\n\nMonday', '25/03/2019'],
    ['14/06/2018 sat 97% RA', '14/06/2018'],
    ['(25/03/2019)', '25/03/2019'],
    ['25/03/2019 and Monday', '25/03/2019'],
    ['25/03/2019 to 3 Mar 2020', '25/03/2019'],
    ['25/03/2019 a 3 mar 2020', '25/03/2019'],
    ['25.03.2019 to 12.04.2019 Fri', '25.03.2019'],
    ['25/03/2019 and 2 sun spots', '25/03/2019'],
    ['25/03/2019 that sun', '25/03/2019'],
    ['25/03/2019\nDay: Monday 01/04/2019', '25/03/2019'],
    ['25/03/2019, on Monday 01/04/2019', '25/03/2019'],
    ['25/03/2019\nMonday 10:30\n01/04/2019', '25/03/2019'],
    ['sat 97 25/03/2019', '25/03/2019'],
    ['25/03/2019 at 10:30 sat 96%', '25/03/2019'],
    ['Monday seen 10:30 25/03/2019', '25/03/2019'],
    ['25/03/2019 at noon sunlight', '25/03/2019'],
  ])('and no other word: %s', (text, date) => {
    expect(widened(text, date)).toBe(date);
  });

  test('and not beside what is no date', () => {
    expect(widened('Mon 4711', '4711', 'ID')).toBe('4711');
    expect(widened('Sun Lee', 'Lee', 'PHI')).toBe('Lee');
    expect(widened('Sun 25/03/2019', '25/03/2019', 'PHI')).toBe('Sun 25/03/2019');
  });
});
