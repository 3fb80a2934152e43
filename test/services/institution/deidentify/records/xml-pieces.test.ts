import { describe, expect, test } from '@jest/globals';
import {
  attributesOf,
  type XmlPiece,
  xmlPieces,
} from '../../../../../services/institution/deidentify/records/xml-pieces.js';

const tag = (source: string): XmlPiece => ({ kind: 'open', source });

/** Twenty megabytes. */
const MUCH = 20_000_000;

describe('the pieces of a document', () => {
  test('are its tags, its text and what is neither, and joined again the document', () => {
    const parts: [XmlPiece['kind'], string][] = [
      ['other', `<?xml version="1.0"?>`],
      ['open', `<a b='1 > "0"' c="it's">`],
      ['text', 'x > y '],
      ['comment', `<!-- "<b>' -->`],
      ['text', `<![CDATA[<b attribute="]]>`],
      ['empty', '<e d=">"/>'],
      ['other', `<?note it's > ?>`],
      ['close', '</a >'],
      ['text', '\n'],
    ];
    const pieces = xmlPieces(parts.map(([, source]) => source).join(''), 'a.xml');
    expect(pieces.map(({ kind, source }) => [kind, source])).toEqual(parts);
  });

  test.each([
    ['one attribute', ` a="${'x'.repeat(MUCH)}"`],
    ['blanks', ' '.repeat(MUCH)],
    ['attributes', Array.from({ length: MUCH / 9 }, (_, i) => ` a${i.toString(36)}=""`).join('')],
  ])('may be a tag of 20 MB of %s', (_, attributes) => {
    const tags = [`<p${attributes}>`, '</p>'];
    const pieces = xmlPieces(tags.join(''), 'a.xml');
    expect(pieces.map(({ source }, i) => source === tags[i])).toEqual([true, true]);
  });
});

describe('attributes of a tag', () => {
  test('are each with the blanks before it, in either quotes, with blanks around the sign', () => {
    const parts = [' a="1"', "\n  b='x > y'", ' c = "&amp;&#xe9;"', ' d=""'];
    const found = attributesOf(tag(`<p${parts.join('')} >`));
    expect(found.map(({ source }) => source)).toEqual(parts);
    expect(found.map(({ name, value }) => [name, value])).toEqual([
      ['a', '1'],
      ['b', 'x > y'],
      ['c', '&é'],
      ['d', ''],
    ]);
  });

  test('are none where a value is missing, stands without quotes or does not end', () => {
    const found = attributesOf(tag(`<p alone x=1 y= z="2" w="open>`));
    expect(found).toEqual([{ name: 'z', value: '2', source: ' z="2"' }]);
  });

  test('are read behind blanks without end, and within', () => {
    const blanks = ' '.repeat(5_000_000);
    const found = attributesOf(tag(`<p${blanks}a${blanks}=${blanks}"1"${blanks}>`));
    expect(found.map(({ name, value }) => [name, value])).toEqual([['a', '1']]);
  });
});
