import { randomFillSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { boxMuller } from '../../../models/tensor/reference/box-muller.js';
import { expectClose } from './gradient-check.js';
import { instructionSets } from './native-session.js';

describe.each(instructionSets())('the native transform of Box and Muller with %s', (isa) => {
  test('is the reference to the precision of a float, at the ends of the range too', () => {
    const words = randomFillSync(new Uint32Array(40_000));
    const ends = [0, 1 << 5, 0xffffffff, 1 << 6, 0x20000000, 0x40000000, 0x80000000, 0xc0000000];
    for (let i = 0; i < ends.length ** 2; i++) {
      const first = ends[i % ends.length] as number;
      const second = ends[Math.floor(i / ends.length)] as number;
      words.set([first, second, second, first], 4 * i);
    }
    const expected = new Float32Array(words.length / 2);
    boxMuller(words, expected);
    const before = nativeFunction('useIsa')(isa) as string;
    const found = new Float32Array(expected.length);
    nativeFunction('boxMuller')(words, found);
    nativeFunction('useIsa')(before);
    expectClose(found, expected, 1e-6);
    expect(found.every((x) => Number.isFinite(x))).toBe(true);
  });
});
