import { describe, expect, test } from '@jest/globals';
import {
  attributesOf,
  type XmlPiece,
} from '../../../../../services/institution/deidentify/records/xml-pieces.js';

const tag = (source: string): XmlPiece => ({ kind: 'open', source });

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
