import { describe, expect, test } from '@jest/globals';
import {
  measurementsIn,
  withoutMeasurements,
} from '../../../../../services/institution/deidentify/recognisers/measurements.js';

const found = (text: string) =>
  measurementsIn(text).map(({ start, end }) => text.slice(start, end));
const left = (text: string, phi: string, type = 'DATE') => {
  const start = text.indexOf(phi);
  const span = { type, start, end: start + phi.length };
  return [...withoutMeasurements(span, text, measurementsIn(text))].map((piece) =>
    text.slice(piece.start, piece.end),
  );
};

describe('vital signs', () => {
  test('are found with their numbers and units', () => {
    expect(found('T 37.1 BP 128/82 mmHg, HR: 76 RR 14 SpO2 98% on air, EF 35%, GCS 15/15')).toEqual(
      [...['T 37.1', 'BP 128/82 mmHg', 'HR: 76', 'RR 14', 'SpO2 98%', 'EF 35%', 'GCS 15/15']],
    );
  });

  test('are none where the number could be a date, a room or an id', () => {
    expect(
      found('BP 12/03/2020, T 5512, HR 4482913, bed T 12, RR 14-B2, PT 38, HR 76.12.1999'),
    ).toEqual([]);
    expect(found('the plate EF35 ABC, bed T38, HR76')).toEqual([]);
  });

  test('are none where sat is a Saturday and RR a rural route', () => {
    expect(found('sat 14 june 2018, sats 14/06, sat 7 July, RR 2 Box 45, RR 12, Box 4')).toEqual(
      [],
    );
    expect(found('sat: 97, sat 97%, sats 98 on air, O2 sat 99 %, RR 14, boxed')).toEqual([
      ...['sat: 97', 'sat 97%', 'sats 98', 'O2 sat 99 %', 'RR 14'],
    ]);
    expect(left('seen sat 14 june 2018', 'sat 14 june 2018')).toEqual(['sat 14 june 2018']);
  });

  test.each(['LOCATION', 'STREET', 'CALLE', 'GPE', 'HOSPITAL'])(
    'are not taken out of a place: %s',
    (type) => {
      expect(left('Lives at RR 2, Ames', 'RR 2, Ames', type)).toEqual(['RR 2, Ames']);
      expect(left('Lives at RR 2, Ames', 'RR 2, Ames', 'ID')).toEqual(['Ames']);
    },
  );

  test('are taken out of what a model finds, whose rest stays', () => {
    expect(left('seen 11/3: EF 35%.', '11/3: EF 35')).toEqual(['11/3']);
    expect(left('O: T 37.1 BP 128/82 HR 76', 'T 37.1 BP 128/82')).toEqual([]);
    expect(left('HR 76 RR 14. Neuro', '76 RR 14')).toEqual([]);
    expect(left('Ann Lee BP 120/80 Bob Ray', 'Ann Lee BP 120/80 Bob Ray')).toEqual([
      'Ann Lee',
      'Bob Ray',
    ]);
    expect(left('on 3 May she came', '3 May')).toEqual(['3 May']);
  });

  test('are looked for in time that grows with the text', () => {
    for (const piece of ['BP ', 'T 37', 'BP 120/', 'EF 35 % ', 'Ann '])
      expect(measurementsIn(piece.repeat(2 ** 16 / piece.length))).toBeInstanceOf(Array);
  });
});
