import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { allFinite, decodeElements, encodeElements } from '../../proto/element.js';

const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 64 });

describe('elements', () => {
  test('in float32 come back as they were', () => {
    fc.assert(
      fc.property(floats, (values) => {
        const numbers = Float32Array.from(values);
        expect(decodeElements(encodeElements(numbers, 'float32'), 'float32')).toEqual(numbers);
      }),
    );
  });

  test('in float16 come back within half a unit of the last of 11 bits', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -100, max: 100, noNaN: true })), (values) => {
        const numbers = Float32Array.from(values);
        const found = decodeElements(encodeElements(numbers, 'float16'), 'float16');
        for (const [i, value] of numbers.entries()) {
          const tolerance = Math.max(Math.abs(value) * 2 ** -11, 2 ** -25);
          expect(Math.abs(found[i] - value)).toBeLessThanOrEqual(tolerance);
        }
      }),
    );
  });

  test('are stored little-endian, whatever the machine', () => {
    expect([...encodeElements(Float32Array.of(1, -2), 'float16')]).toEqual([0, 0x3c, 0, 0xc0]);
    expect([...encodeElements(Float32Array.of(1), 'float32')]).toEqual([0, 0, 0x80, 0x3f]);
  });

  test.each(['float16', 'float32'] as const)('of %s show an infinity or NaN', (type) => {
    expect(allFinite(encodeElements(Float32Array.of(1, -65504, 0), type), type)).toBe(true);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(allFinite(encodeElements(Float32Array.of(1, bad, 2), type), type)).toBe(false);
    }
  });
});
