import { expect, test } from '@jest/globals';
import { sha256, sha256Hex } from '../../proto/digest.js';

/** FIPS 180-4, example of one block. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test.each([
  ['a text', ['abc']],
  ['bytes', [Buffer.from('abc')]],
  ['a part of a buffer', [Buffer.from('xabcx').subarray(1, 4)]],
  ['several parts', ['a', Buffer.from('b'), 'c']],
] as const)('the SHA-256 of %s is that of its bytes, in hex as well', (_, parts) => {
  expect(sha256Hex(...parts)).toBe(ABC);
  expect(sha256(...parts).toString('hex')).toBe(ABC);
});
