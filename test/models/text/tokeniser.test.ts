import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenise } from '../../../models/text/tokeniser.js';

const words = (text: string) => tokenise(text).map((token) => token.text);

/** Letters, digits, marks, spaces, controls, astral characters and halves of them. */
const nastyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'Z', 'ñ', '7', '٣', ' ', '\n', '\t', '.', '-', '_', '\u0301', '\u200d'),
    fc.constantFrom('\u00a0', '\u0085', '\0', '\ud83d\ude00', '\ud835\udc00', '\ud800', '中', 'º'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  ),
  maxLength: 200,
});

describe('tokenise', () => {
  test.each([
    ['25yo M', ['25', 'yo', 'M']],
    ["l'hôpital d’Ávila", ['l', "'", 'hôpital', 'd', '’', 'Ávila']],
    ['nnavcu@hotmail.com', ['nnavcu', '@', 'hotmail', '.', 'com']],
    ['03/03/1946', ['03', '/', '03', '/', '1946']],
    ['snake_case...', ['snake', '_', 'case', '.', '.', '.']],
    ['2º dcha, 37,5 °C', ['2', 'º', 'dcha', ',', '37', ',', '5', '°', 'C']],
    ['Straße Größe', ['Straße', 'Größe']],
    ['m²', ['m', '²']],
    ['', []],
    [' \r\n\u00a0\u2028', []],
  ])('splits %j at punctuation and between letters and digits', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('keeps combining marks and invisible joiners with the character before them', () => {
    expect(words('Mari\u0301a 5\u20e3 .\u0301')).toEqual(['Mari\u0301a', '5\u20e3', '.\u0301']);
    expect(words('so\u00adft')).toEqual(['so\u00adft']);
    expect(words('\u0301a')).toEqual(['\u0301', 'a']);
  });

  test('counts offsets in UTF-16 units and never cuts an astral character', () => {
    expect(tokenise('😀 𝐀𝐁7')).toEqual([
      { start: 0, end: 2, text: '😀' },
      { start: 3, end: 7, text: '𝐀𝐁' },
      { start: 7, end: 8, text: '7' },
    ]);
  });

  test('puts every character that is not white space in exactly one token, in order', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        let at = 0;
        for (const token of tokenise(text)) {
          expect(token.start).toBeGreaterThanOrEqual(at);
          expect(text.slice(at, token.start)).toMatch(/^[\s\u0085]*$/);
          expect(token.end).toBeGreaterThan(token.start);
          expect(text.slice(token.start, token.end)).toBe(token.text);
          expect(token.text).not.toMatch(/[\s\u0085]/);
          at = token.end;
        }
        expect(text.slice(at)).toMatch(/^[\s\u0085]*$/);
      }),
    );
  });

  test('gives a token of the same text for every token taken alone', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        for (const token of words(text)) expect(words(token)).toEqual([token]);
      }),
    );
  });

  test.each(['a', '7', '\n', '\u0301', '.', 'a1', '😀'])(
    'looks at every character of a text of %j once',
    (unit) => {
      const text = new CountedText(unit.repeat(5000));
      tokenise(text as unknown as string);
      expect(text.reads).toBe(Array.from(unit).length * 5000);
      expect(text.copied).toBeLessThanOrEqual(text.length);
    },
  );
});

/** Counts what a linear pass over a string does to it. */
class CountedText {
  reads = 0;
  copied = 0;
  readonly length: number;

  constructor(private readonly text: string) {
    this.length = text.length;
  }

  codePointAt(at: number): number | undefined {
    this.reads++;
    return this.text.codePointAt(at);
  }

  slice(start: number, end = this.length): string {
    this.copied += end - start;
    return this.text.slice(start, end);
  }
}
