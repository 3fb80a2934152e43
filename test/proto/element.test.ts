import { describe, expect, test } from '@jest/globals';
import { f16round, getFloat16 } from '@petamoriken/float16';
import * as fc from 'fast-check';
import {
  areFinite,
  decodeElements,
  ELEMENT_BYTES,
  encodeElements,
  squaredNorm,
} from '../../proto/element.js';

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

  test('in float16 are rounded as an independent implementation rounds them', () => {
    const halfway = [65519.996, 65520, 65536, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0001, 2 ** -14];
    const anyBits = fc.array(fc.nat(0xffff_ffff), { minLength: 1, maxLength: 200 });
    const check = (numbers: Float32Array) => {
      const view = new DataView(encodeElements(numbers, 'float16').buffer);
      for (const [i, value] of numbers.entries()) {
        const found = getFloat16(view, 2 * i, true);
        expect({ value, found }).toEqual({ value, found: f16round(value) });
      }
    };
    check(Float32Array.from([...halfway, ...halfway.map((value) => -value), 0, -0]));
    fc.assert(
      fc.property(anyBits, (bits) => check(new Float32Array(Uint32Array.from(bits).buffer))),
    );
  });

  test('are stored little-endian, whatever the machine', () => {
    expect([...encodeElements(Float32Array.of(1, -2), 'float16')]).toEqual([0, 0x3c, 0, 0xc0]);
    expect([...encodeElements(Float32Array.of(1), 'float32')]).toEqual([0, 0, 0x80, 0x3f]);
  });

  test.each(['float16', 'float32'] as const)(
    'of %s have a norm that shows infinity and NaN',
    (type) => {
      const normOf = (...values: number[]) => {
        const { buffer, byteLength } = encodeElements(Float32Array.of(9, ...values, 9), type);
        const element = ELEMENT_BYTES[type];
        return squaredNorm(new DataView(buffer), type, element, byteLength - element);
      };
      expect(normOf()).toBe(0);
      expect(normOf(1, -2, 0.5)).toBeCloseTo(5.25, 6);
      expect(normOf(1, -2, 0.5, 3)).toBeCloseTo(14.25, 6);
      expect(normOf(1, type === 'float16' ? -65504 : -3.4e38, 0)).toBeLessThan(Infinity);
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        for (const place of [0, 1, 2]) {
          const values = [1, 2, 3];
          values[place] = bad;
          expect(Number.isFinite(normOf(...values))).toBe(false);
        }
      }
    },
  );

  test.each(['float16', 'float32'] as const)('of %s are finite exactly where each is', (type) => {
    const anyBits = fc.array(fc.nat(0xffff_ffff), { maxLength: 5 });
    fc.assert(
      fc.property(anyBits, (bits) => {
        const bytes = encodeElements(new Float32Array(Uint32Array.from(bits).buffer), type);
        const expected = decodeElements(bytes, type).every((value) => Number.isFinite(value));
        expect(areFinite(new DataView(bytes.buffer), type, 0, bytes.length)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
