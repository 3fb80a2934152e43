import { randomFillSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { boxMuller } from '../../../models/tensor/reference/box-muller.js';
import { expectClose } from './gradient-check.js';
import { instructionSets } from './native-session.js';

describe.each(instructionSets())('the native transform of Box and Muller with %s', (isa) => {
  test('is the reference to a millionth of the radius, at the ends of the range too', () => {
    const pairs = 10_001;
    const words = randomFillSync(new Uint32Array(3 * pairs));
    const ends = [0, 1 << 5, 0xffffffff, 1 << 6, 0x20000000, 0x40000000, 0x80000000, 0xc0000000];
    for (let i = 0; i < ends.length ** 3; i++) {
      words[i] = ends[i % ends.length] as number;
      words[pairs + i] = ends[Math.floor(i / ends.length) % ends.length] as number;
      words[2 * pairs + i] = ends[Math.floor(i / ends.length ** 2)] as number;
    }
    const expected = new Float32Array(2 * pairs);
    boxMuller(words, expected);
    const before = nativeFunction('useIsa')(isa);
    const found = new Float32Array(expected.length);
    nativeFunction('boxMuller')(words, found);
    nativeFunction('useIsa')(before);
    for (let i = 0; i < pairs; i++) {
      const radius = Math.hypot(expected[2 * i] as number, expected[2 * i + 1] as number);
      expectClose(
        found.subarray(2 * i, 2 * i + 2),
        expected.subarray(2 * i, 2 * i + 2),
        1e-6 * radius,
      );
    }
    expect(found.every((x) => Number.isFinite(x))).toBe(true);
  });
});
