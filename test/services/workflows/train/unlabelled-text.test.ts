import { describe, expect, test } from '@jest/globals';
import { requireApart } from '../../../../services/workflows/train/unlabelled-text.js';

const note = (id: string, text: string) => ({ id, text, spans: [] });
const sentence = (what: string) =>
  `The applicant complained under several articles that ${what} had lasted for a very long time.`;
const ruling = (...whats: string[]) => whats.map(sentence).join('\n\n');
const unlabelled = (...texts: string[]) => ({
  corpusName: 'public text',
  documents: texts.map((text, i) => note(`${i}`, text)),
});

const learned = note('learned', 'Mr Smith saw Dr Zoë Jones.\nHe is well.');
const heldOut = note('held out', ruling('one', 'two', 'three', 'four'));
const material = { documents: [learned], heldOut: [heldOut] };

describe('text without labels', () => {
  test('may be of any documents but those with labels', () => {
    const other = ruling('one', 'two', 'five', 'six', 'seven');
    expect(() => requireApart(unlabelled('Mr Smith saw Dr Lee.', other), material)).not.toThrow();
    expect(() => requireApart(undefined, material)).not.toThrow();
  });

  test.each([
    ['as it is', learned.text],
    ['behind a byte order mark', `\ufeff${learned.text}`],
    ['with a line end', `${learned.text}\n`],
    ['with line ends of another system', learned.text.replaceAll('\n', '\r\n')],
    ['in lines of another width', learned.text.replaceAll('\n', ' ').replace('Dr ', 'Dr\n')],
    ['with accents of their own', learned.text.normalize('NFD')],
    ['held out, with a line end', `${heldOut.text}\r\n`],
    ['held out, nearly the same', ruling('eight', 'one', 'two', 'three')],
  ])('is refused with a note of these %s', (_, text) => {
    expect(() => requireApart(unlabelled('Something else.', text, 'More.'), material)).toThrow(
      expect.objectContaining({
        code: 'corpus-invalid',
        message: expect.stringMatching(/^1 of the documents of --unlabelled .* number 2$/),
      }),
    );
  });

  test('is refused by so many numbers at most', () => {
    const copies = unlabelled(...Array.from({ length: 12 }, () => learned.text));
    expect(() => requireApart(copies, material)).toThrow(
      /^12 of .* number 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \.\.\.$/,
    );
  });
});
