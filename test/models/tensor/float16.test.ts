import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { encodeElements } from '../../../proto/element.js';
import { instructionSets } from './native-session.js';

describe.each(instructionSets())('the native rounding to float16 with %s', (isa) => {
  test('is that of the format, for any bits and any length', () => {
    const before = nativeFunction('useIsa')(isa);
    const anyBits = fc.array(fc.nat(0xffff_ffff), { maxLength: 600 });
    const check = (values: Float32Array) => {
      const found = new Uint8Array(2 * values.length + 1).subarray(1);
      const one = { sentences: Uint32Array.of(0), starts: Uint32Array.of(0, values.length) };
      const shape = { steps: values.length, dimension: 1 };
      nativeFunction('float16Sentences')({ ...one, ...shape, vectors: values, elements: found });
      expect(found).toEqual(encodeElements(values, 'float16'));
    };
    try {
      const ends = [65519.996, 65520, 65536, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0001, 2 ** -14];
      check(Float32Array.from([...ends, ...ends.map((value) => -value), 0, -0, Number.NaN]));
      fc.assert(
        fc.property(anyBits, (bits) => check(new Float32Array(Uint32Array.from(bits).buffer))),
      );
    } finally {
      nativeFunction('useIsa')(before);
    }
  });
});
