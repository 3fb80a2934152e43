import { expect, test } from '@jest/globals';
import {
  CHARACTER_CODES,
  CODES_A_WORD,
  codeCount,
  writeCodes,
} from '../../../models/text/character-codes.js';

const codesOf = (word: string) => {
  const codes = new Uint16Array(CODES_A_WORD).fill(7);
  writeCodes(word, codes);
  return codes;
};

test('Latin letters have codes of their own, all other characters one', () => {
  const [n, other, astral, end] = codesOf('ñж😀');
  expect(n).toBe(2 + 'ñ'.charCodeAt(0));
  expect([other, astral, end]).toEqual([1, 1, 0]);
  expect(Math.max(...codesOf('ſƀ'))).toBe(CHARACTER_CODES - 1);
  expect(codeCount(codesOf('ñж😀'))).toBe(3);
  expect(codeCount(codesOf(''))).toBe(0);
});

test('of a long word the beginning and the end are seen', () => {
  const long = `${'a'.repeat(30)}${'z'.repeat(30)}`;
  expect([...codesOf(long)]).toEqual([...codesOf(`${'a'.repeat(10)}${'z'.repeat(10)}`)]);
  expect(codeCount(codesOf(long))).toBe(CODES_A_WORD);
});
