import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';

test('the native CRC-32 is that of zlib, of any bytes at any address', () => {
  const checksum = nativeFunction('crc32');
  expect(checksum(Buffer.from('123456789'))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(20), (bytes, start) => {
      const view = bytes.subarray(start);
      expect(checksum(view)).toBe(crc32(view));
    }),
  );
  const block = Uint8Array.from({ length: 100_003 }, (_, i) => (i * 131 + (i >> 7)) & 0xff);
  for (const length of [0, 1, 63, 64, 65, 127, 128, 129, 100_003])
    expect(checksum(block.subarray(0, length))).toBe(crc32(block.subarray(0, length)));
});

test('one flipped bit changes it, wherever it stands', () => {
  const block = Buffer.alloc(200, 7);
  const whole = nativeFunction('crc32')(block);
  for (let bit = 0; bit < 8 * block.length; bit++) {
    block[bit >> 3] ^= 1 << (bit & 7);
    expect(nativeFunction('crc32')(block)).not.toBe(whole);
    block[bit >> 3] ^= 1 << (bit & 7);
  }
});
