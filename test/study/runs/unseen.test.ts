import { describe, expect, test } from '@jest/globals';
import { requireUnseen, requireUnseenSites } from '../../../study/runs/unseen.js';

const texts = (...all: string[]) => all.map((text) => ({ text }));

describe('documents that are measured on', () => {
  test.each([
    ['learned', '\ufeffShe slept.', 'She slept.'],
    ['measured on', 'She slept.', '\ufeffShe slept.'],
  ])('are seen where the copy that is %s has a byte order mark', (_, learned, measured) => {
    expect(() => requireUnseen(texts(learned), texts('He ate.', measured))).toThrow(
      '1 of the held-out documents are among those of training',
    );
    const far = { name: 'far', documents: texts(measured) };
    expect(() => requireUnseenSites(texts(learned), [far])).toThrow('1 of the documents of far');
  });

  test('are seen where they are nearly the same, and are told by their numbers', () => {
    const paragraph = (i: number) =>
      `In paragraph ${i} the court found that the proceedings before the domestic courts had been too long.`;
    const ruling = (first: number) => [0, 1, 2, 3].map((i) => paragraph(first + i)).join('\n');
    const measured = texts('She slept.', `${ruling(0)}\nSo held.`, ruling(10));
    expect(() => requireUnseen(texts(ruling(0)), measured)).toThrow(
      /1 of the held-out documents .* nearly the same .* number 2$/,
    );
  });

  test('are seen whether accents are parts of their letters or marks of their own', () => {
    const text = 'José fue visto por Íñigo.';
    for (const other of [text, text.normalize('NFD')])
      expect(() => requireUnseen(texts(text), texts(other))).toThrow(
        '1 of the held-out documents are among those of training',
      );
  });

  test('are unseen where another character differs', () => {
    expect(() => requireUnseen(texts('She slept.'), texts('She slept. '))).not.toThrow();
  });
});
