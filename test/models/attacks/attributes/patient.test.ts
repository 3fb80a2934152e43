import { expect, test } from '@jest/globals';
import { patientOf } from '../../../../models/attacks/attributes/patient.js';

function note(text: string, ...spans: (readonly [type: string, stated: string])[]) {
  return {
    id: 'note',
    text,
    spans: spans.map(([type, stated]) => {
      const start = text.indexOf(stated);
      return { type, start, end: start + stated.length };
    }),
  };
}

test.each([
  ['Sexo: M.', 'SEXO_SUJETO_ASISTENCIA', 'M', 'female'],
  ['Sexo: H.', 'SEXO_SUJETO_ASISTENCIA', 'H', 'male'],
  ['Sexo: Varón', 'SEXO_SUJETO_ASISTENCIA', 'Varón', 'male'],
  ['Sex: M', 'SEX', 'M', 'male'],
  ['Sex: F', 'GENDER', 'F', 'female'],
])('%p states the sex', (text, type, stated, sex) => {
  expect(patientOf(note(text, [type, stated])).sex).toBe(sex);
});

test('a note without a stated sex has that of its words, if they agree', () => {
  expect(patientOf(note('She says her pain woke her.')).sex).toBe('female');
  expect(patientOf(note('She says his pain woke him, and he told her.')).sex).toBeUndefined();
  expect(patientOf(note('He coughs.')).sex).toBeUndefined();
});

test.each([
  ['52 años', '40 to 64'],
  ['17', '0 to 17'],
  ['18', '18 to 39'],
  ['65yo', '65 and over'],
  ['8 meses', '0 to 17'],
  ['adulto', undefined],
  ['990', undefined],
])('an age of %p is in the group %p', (stated, group) => {
  expect(patientOf(note(`Edad: ${stated}.`, ['EDAD_SUJETO_ASISTENCIA', stated])).ageGroup).toBe(
    group,
  );
});
