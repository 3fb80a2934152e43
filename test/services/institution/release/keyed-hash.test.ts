import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeyedHash } from '../../../../services/institution/release/keyed-hash.js';

test('is HMAC-SHA-256 of any text, one after another', () => {
  const key = randomBytes(32);
  const keyed = new KeyedHash(key);
  const expected = (text: string) => createHmac('sha256', key).update(text).digest();
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 5000, size: 'max' }));
  fc.assert(fc.property(texts, (text) => expect(keyed.of(text)).toEqual(expected(text))));
  expect(keyed.of('ñ'.repeat(9000))).toEqual(expected('ñ'.repeat(9000)));
});

test('takes keys of any length up to a block', () => {
  for (const length of [0, 1, 63, 64]) {
    const key = randomBytes(length);
    const expected = createHmac('sha256', key).update('a text').digest();
    expect(new KeyedHash(key).of('a text')).toEqual(expected);
  }
  expect(() => new KeyedHash(randomBytes(65))).toThrow(RangeError);
});
