import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { squaredNorms } from '../../../proto/element.js';
import { instructionSets } from './native-session.js';

const FINITE_MAGNITUDE = 0x7bff;

describe.each(instructionSets())('native sums of squares of float16 with %s', (isa) => {
  const withIsa = (check: () => void) => {
    const before = nativeFunction('useIsa')(isa);
    try {
      check();
    } finally {
      nativeFunction('useIsa')(before);
    }
  };
  const nativeNorms = (bytes: Uint8Array, places: Int32Array) => {
    const sums = new Float64Array(places.length / 2);
    nativeFunction('float16Squares')(bytes, places, new Uint8Array(sums.buffer));
    return sums;
  };
  const bytesOf = (halves: readonly number[]) =>
    new Uint8Array(Uint16Array.from([0, ...halves]).buffer).subarray(1);

  test('are those of the format, of any finite values, lengths and places', () =>
    withIsa(() => {
      const half = fc
        .tuple(fc.nat(FINITE_MAGNITUDE), fc.boolean())
        .map(([magnitude, isNegative]) => magnitude + (isNegative ? 0x8000 : 0));
      fc.assert(
        fc.property(
          fc.array(half, { maxLength: 300 }),
          fc.nat(300),
          fc.nat(300),
          (halves, a, b) => {
            // From an odd address on.
            const bytes = bytesOf(halves);
            const [start, stop] = [a, b]
              .map((at) => 1 + 2 * Math.min(at, halves.length))
              .sort(byValue);
            const places = Int32Array.of(start, stop, 1, bytes.length, stop, stop);
            const expected = squaredNorms(bytes, 'float16', places);
            nativeNorms(bytes, places).forEach((sum, i) => {
              expect(Math.abs(sum - expected[i])).toBeLessThanOrEqual(1e-12 * expected[i]);
            });
          },
        ),
      );
    }));

  test('are not finite where an element is not, wherever it stands', () =>
    withIsa(() => {
      for (const length of [1, 7, 16, 40, 67])
        for (const special of [0x7c00, 0xfc00, 0x7e01])
          for (let at = 0; at < length; at++) {
            const halves = Array.from({ length }, (_, i) => (i === at ? special : 0x3c00));
            const bytes = bytesOf(halves);
            const [sum] = nativeNorms(bytes, Int32Array.of(1, bytes.length));
            expect(Number.isFinite(sum)).toBe(false);
          }
    }));

  test('are refused of places that end before they start or lie outside', () =>
    withIsa(() => {
      const bytes = bytesOf([1, 2, 3]);
      expect(() => nativeNorms(bytes, Int32Array.of(3, 1))).toThrow(/places/);
      expect(() => nativeNorms(bytes, Int32Array.of(1, 9))).toThrow(/places/);
      expect(() => nativeNorms(bytes, Int32Array.of(-1, 1))).toThrow(/places/);
    }));
});

function byValue(a: number, b: number): number {
  return a - b;
}
