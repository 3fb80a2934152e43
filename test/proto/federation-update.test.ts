import { expect, test } from '@jest/globals';
import { decodeNumbers, encodeNumbers } from '../../proto/federation-update.js';

test('numbers come back as they were sent, and what is cut off anywhere is refused', () => {
  const stated = { plan: null, worker: 'north', keyId: null, epoch: 3, texts: 2 };
  const sparse = { places: Uint32Array.of(2, 7), values: Float32Array.of(0.25, -1e-9) };
  const bytes = encodeNumbers(sparse, stated);
  const { header, places, values } = decodeNumbers(bytes);
  expect(header).toEqual({ ...stated, places: 2, values: 2 });
  expect({ places, values }).toEqual(sparse);
  for (let length = 0; length < bytes.length; length++)
    expect(() => decodeNumbers(bytes.subarray(0, length))).toThrow(
      expect.objectContaining({ code: 'federation-update-invalid' }),
    );
});
