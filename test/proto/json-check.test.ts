import { expect, test } from '@jest/globals';
import { jsonCheck } from '../../proto/json-check.js';

const SCHEMA = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

test('a check says what fits, and what is wrong with the last value that did not', () => {
  const fits = jsonCheck<{ a: number }>(SCHEMA);
  expect(fits.errors).toEqual([]);
  expect(fits({ a: 1.5 })).toBe(false);
  expect(fits.errors).toMatchObject([{ instancePath: '/a', keyword: 'type' }]);
  expect(fits({ a: 1 })).toBe(true);
  expect(fits.errors).toEqual([]);
});

test('options are those of each check alone', () => {
  const union = { type: ['integer', 'string'] };
  expect(jsonCheck(union, { allowUnionTypes: true })('text')).toBe(true);
  const all = jsonCheck({ ...SCHEMA, required: ['a', 'b'] }, { allErrors: true });
  expect(all({})).toBe(false);
  expect(all.errors).toHaveLength(2);
});

test('a schema that cannot be compiled is refused when it is asked', () => {
  const broken = jsonCheck({ type: 'integre' });
  expect(() => broken(1)).toThrow('type must be JSONType');
});
