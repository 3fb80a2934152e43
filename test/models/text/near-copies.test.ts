import { describe, expect, test } from '@jest/globals';
import { NearCopies } from '../../../models/text/near-copies.js';

const sentence = (what: string) =>
  `The applicant complained under several articles that ${what} had lasted for a very long time.`;
const text = (...whats: string[]) => whats.map(sentence).join('\n\n');
const countOf = (...texts: string[]) => {
  const copies = new NearCopies();
  for (const each of texts) copies.add({ text: each });
  return copies.count();
};

describe('documents that are nearly the same', () => {
  test('share three in ten of the long sentences of the shorter one, and three at least', () => {
    const first = text('one', 'two', 'three', ...'abcdefg');
    expect(countOf(first, text('one', 'two', 'three', ...'hijklmnop'))).toBe(2);
    expect(countOf(first, text('one', 'two', ...'hijk'))).toBe(0);
    expect(
      countOf(`${first}\n\n${text('more')}`, text('one', 'two', 'three', ...'hijklmnop')),
    ).toBe(0);
    expect(countOf(first, first, text('eight'))).toBe(2);
  });

  test('are not told by short sentences, nor by one that stands twice in a document', () => {
    expect(countOf('Seen today.\n\nHome.', 'Seen today.\n\nHome.')).toBe(0);
    expect(countOf(text('one', 'one', 'one', 'two'), text('one', ...'abcdef'))).toBe(0);
  });

  test('are not told by what stands in very many', () => {
    const form = text('one', 'two', 'three');
    expect(countOf(...Array.from({ length: 21 }, (_, i) => `${form}\n\n${sentence(`${i}`)}`))).toBe(
      0,
    );
  });
});
