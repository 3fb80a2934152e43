import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readSafetensors, writeSafetensors } from '../../../models/bundle/safetensors.js';
import { TacetError } from '../../../proto/errors.js';

const weights = fc.dictionary(
  fc.string({ minLength: 1 }),
  fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }).chain((shape) =>
    fc
      .float32Array({
        minLength: shape.reduce((a, b) => a * b, 1),
        maxLength: shape.reduce((a, b) => a * b, 1),
      })
      .map((data) => ({ shape, data })),
  ),
  { maxKeys: 5 },
);

function file(header: unknown, buffer: Uint8Array): Uint8Array {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, buffer]);
}

const tensor = (begin: number, end: number) => ({
  dtype: 'F32',
  shape: [(end - begin) / 4],
  data_offsets: [begin, end],
});

describe('safetensors', () => {
  test('what is written is read back, bit for bit', () => {
    fc.assert(
      fc.property(weights, (named) => {
        const read = readSafetensors(writeSafetensors(named));
        expect(Object.keys(read).sort()).toEqual(Object.keys(named).sort());
        for (const [name, { shape, data }] of Object.entries(named)) {
          expect(read[name]?.shape).toEqual(shape);
          expect(Buffer.from(read[name]?.data.buffer ?? [])).toEqual(
            Buffer.from(data.buffer, data.byteOffset, data.byteLength),
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  test('the tensor bytes begin at a multiple of 8', () => {
    const bytes = writeSafetensors({ a: { shape: [1], data: new Float32Array([1]) } });
    expect(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) % 8).toBe(0);
  });

  test('any other bytes are read or refused as bundle-invalid, never otherwise', () => {
    const valid = writeSafetensors({
      a: { shape: [2, 3], data: new Float32Array(6) },
      b: { shape: [4], data: new Float32Array(4) },
    });
    const changed = fc
      .array(fc.tuple(fc.nat(valid.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
      .map((edits) => {
        const bytes = Uint8Array.from(valid);
        for (const [position, value] of edits) bytes[position] = value;
        return bytes;
      });
    const cut = fc.nat(valid.length).map((length) => valid.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(changed, cut, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        try {
          readSafetensors(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TacetError);
          expect((error as TacetError).code).toBe('bundle-invalid');
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['a header longer than the file', () => Buffer.from([255, 0, 0, 0, 0, 0, 0, 0, 123, 125])],
    ['a header that does not begin with {', () => file(' {}', new Uint8Array())],
    ['a header that is no object', () => file('{]', new Uint8Array())],
    ['bytes that are not UTF-8', () => file('{"\u0000', new Uint8Array([0xff]))],
    [
      'two tensors of one name',
      () =>
        file(
          `{"a":${JSON.stringify(tensor(0, 4))},"a":${JSON.stringify(tensor(4, 8))}}`,
          new Uint8Array(8),
        ),
    ],
    ['overlapping tensors', () => file({ a: tensor(0, 8), b: tensor(4, 12) }, new Uint8Array(12))],
    ['a hole', () => file({ a: tensor(0, 4), b: tensor(8, 12) }, new Uint8Array(12))],
    ['bytes after the last tensor', () => file({ a: tensor(0, 4) }, new Uint8Array(8))],
    ['a tensor beyond the end', () => file({ a: tensor(0, 12) }, new Uint8Array(8))],
    [
      'another element type',
      () => file({ a: { ...tensor(0, 4), dtype: 'F16' } }, new Uint8Array(4)),
    ],
    [
      'a shape that its bytes do not hold',
      () => file({ a: { ...tensor(0, 4), shape: [2] } }, new Uint8Array(4)),
    ],
    ['a negative size', () => file({ a: { ...tensor(0, 4), shape: [-1, -1] } }, new Uint8Array(4))],
    ['an unknown key', () => file({ a: { ...tensor(0, 4), code: 'x' } }, new Uint8Array(4))],
  ])('%s is refused', (_, bytes) => {
    expect(() => readSafetensors(bytes())).toThrow(/^safetensors: /);
  });
});
