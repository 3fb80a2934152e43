import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requireModestJson } from '../../../services/http/json-extent.js';

const check = (json: string) => requireModestJson(Buffer.from(json));
const refused = (message: string) =>
  expect.objectContaining({ code: 'request-invalid', message: expect.stringContaining(message) });
const MOST = 3_000_000;

describe('the extent of a JSON text', () => {
  test('is that of any request', () => {
    fc.assert(fc.property(fc.json(), (json) => expect(() => check(json)).not.toThrow()));
  });

  test.each([
    ['empty objects', `[${'{},'.repeat(MOST / 2)}{}]`],
    ['numbers', `[${'1,'.repeat(MOST)}1]`],
    ['members of an object', `{${'"a":1,'.repeat(MOST)}"a":1}`],
    ['lists in lists', `[${'[[]],'.repeat(MOST / 3)}[[]]]`],
  ])('is too much with millions of %s', (_, json) => {
    expect(() => check(json)).toThrow(refused('more than 3000000 values; send fewer'));
  });

  test.each([
    [256, 0],
    [257, 1],
  ])('at a depth of %i is refused %i times', (depth, times) => {
    const json = `${'[{"a":'.repeat(Math.floor(depth / 2))}${depth % 2 ? '[]' : '1'}`;
    if (times === 0) expect(() => check(json)).not.toThrow();
    else expect(() => check(json)).toThrow(refused('deeper than 256'));
  });

  test('does not count what stands in strings, whatever is escaped there', () => {
    const text = '[{,'.repeat(MOST);
    for (const string of [text, `\\"${text}`, `${text}\\\\`, `\\\\\\"${text}`])
      expect(() => check(`{"text":"${string}","more":[1,2]}`)).not.toThrow();
    const many = '{},'.repeat(MOST);
    for (const string of ['', '\\\\', '\\\\\\\\'])
      expect(() => check(`{"text":"${string}","more":[${many}1]}`)).toThrow(refused('values'));
  });

  test('is of bytes that are no JSON too', () => {
    for (const json of ['', '"', ']]]]', '{"a', '\\"'.repeat(9), `"${'\\'.repeat(9)}`])
      expect(() => check(json)).not.toThrow();
  });
});
