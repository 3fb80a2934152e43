import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf } from '../../../models/text/blocks.js';

describe('blocks of a text', () => {
  test('make up the text, each where it says and none too long', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'bc ', '\n', '\n \n', '😀', '. '))
      .map((each) => each.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, length) => {
        const blocks = [...blocksOf(text, length)];
        expect(blocks.map((block) => block.text).join('')).toBe(text);
        for (const block of blocks) {
          expect(text.slice(block.start, block.start + block.text.length)).toBe(block.text);
          expect(block.text.length).toBeLessThanOrEqual(length);
          expect(() => encodeURIComponent(block.text)).not.toThrow();
        }
      }),
    );
  });

  test('end at a blank line, else at a line, else at a space', () => {
    const ends = (text: string) => [...blocksOf(text, 12)].map((block) => block.text);
    expect(ends('one two\n\nthree\nfour five')).toEqual(['one two\n\n', 'three\n', 'four five']);
    expect(ends('onetwothree four')).toEqual(['onetwothree ', 'four']);
    expect(ends('onetwothreefour')).toEqual(['onetwothreef', 'our']);
  });
});
