import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeyedHash } from '../../../../../services/institution/release/ledger/keyed-hash.js';

test('is HMAC-SHA-256 of any text, one after another', () => {
  const key = randomBytes(32);
  const keyed = new KeyedHash(key);
  const expected = (text: string) => createHmac('sha256', key).update(text).digest();
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 5000, size: 'max' }));
  fc.assert(fc.property(texts, (text) => expect(keyed.of(text)).toEqual(expected(text))));
  expect(keyed.of('ñ'.repeat(9000))).toEqual(expected('ñ'.repeat(9000)));
});

test('of pieces is that of the text which they make together', () => {
  const key = randomBytes(32);
  const keyed = new KeyedHash(key);
  const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.string(), pieces, (head, parts) => {
      const bytes = Buffer.from(parts.join(''));
      const ends = parts.map((_, i) => Buffer.byteLength(parts.slice(0, i + 1).join('')));
      const places = Int32Array.from(ends.flatMap((end, i) => [ends[i - 1] ?? 0, end]));
      const expected = createHmac('sha256', key).update(head).update(bytes).digest();
      expect(keyed.ofPieces(head, bytes, places)).toEqual(expected);
    }),
  );
});

test('takes keys of any length up to a block', () => {
  for (const length of [0, 1, 63, 64]) {
    const key = randomBytes(length);
    const expected = createHmac('sha256', key).update('a text').digest();
    expect(new KeyedHash(key).of('a text')).toEqual(expected);
  }
  expect(() => new KeyedHash(randomBytes(65))).toThrow(RangeError);
});
