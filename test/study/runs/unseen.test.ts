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

  test('are unseen where another character differs', () => {
    expect(() => requireUnseen(texts('She slept.'), texts('She slept. '))).not.toThrow();
  });
});
