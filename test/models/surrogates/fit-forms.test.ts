import { expect, test } from '@jest/globals';
import { fitForms } from '../../../models/surrogates/fit-forms.js';

const lists = {
  city: ['Segovia', 'Toledo'],
  court: ['Crown Court', 'High Court'],
  letter: ['A', 'B', 'C'],
};

test('gives half of the draws to the forms that write what was met', () => {
  const stated = new Map([
    ['{court} of {city}', 0.25],
    ['{city} Hospital', 0.25],
    ['{letter}{letter}', 0.25],
    ['{court:typo}', 0.25],
  ]);
  const met = new Map([
    ['High Court of Cuenca', 6],
    ['BA', 2],
    ['something else', 40],
  ]);
  const fitted = fitForms(stated, met, lists);
  expect(fitted.get('{court} of {city}')).toBeCloseTo(0.125 + 0.5 * 0.75);
  expect(fitted.get('{letter}{letter}')).toBeCloseTo(0.125 + 0.5 * 0.25);
  expect(fitted.get('{city} Hospital')).toBeCloseTo(0.125);
  expect(fitted.get('{court:typo}')).toBeCloseTo(0.125);
});

test('prefers the form that writes an entity more often to one that could write anything', () => {
  const stated = new Map([
    ['{city}', 0.5],
    ['{court}', 0.5],
  ]);
  const fitted = fitForms(stated, new Map([['Crown Court', 1]]), lists);
  expect(fitted.get('{court}')).toBeGreaterThan(0.7);
});

test('leaves them as stated where nothing was met that they could have written', () => {
  const stated = new Map([['{#2}/{01-12}', 1]]);
  expect(fitForms(stated, new Map([['May', 3]]), lists)).toEqual(stated);
  expect(fitForms(stated, new Map(), lists)).toEqual(stated);
});
