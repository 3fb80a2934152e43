import { expect, test } from '@jest/globals';
import { parseJsonText } from '../../proto/json-text.js';

test('a JSON text may begin with one byte order mark, and keeps those in its strings', () => {
  expect(parseJsonText('{"a":"\ufeffb"}')).toEqual({ a: '\ufeffb' });
  expect(parseJsonText('\ufeff{"a":"\ufeffb"}')).toEqual({ a: '\ufeffb' });
  expect(() => parseJsonText('\ufeff\ufeff{}')).toThrow(SyntaxError);
});
