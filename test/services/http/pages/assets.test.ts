import { expect, test } from '@jest/globals';
import { Assets } from '../../../../services/http/pages/assets.js';

const module = (text: string) => ({ type: 'text/javascript' as const, text });

test('a module imports others of the site by their paths there, and has another path where they change', () => {
  const pathOf = (inner: string) =>
    new Assets({
      'inner.js': module(inner),
      'outer.js': module("import { a } from '../../far/away/inner.js';\na();"),
    }).pathOf('outer.js');
  expect(pathOf('export const a = 1;')).not.toBe(pathOf('export const a = 2;'));
});

test('a module that the site does not have cannot be imported', () => {
  expect(
    () =>
      new Assets({ 'outer.js': module("import './x/inner.js';\nimport { a } from './inner.js';") }),
  ).toThrow('the site has no file inner.js');
});
