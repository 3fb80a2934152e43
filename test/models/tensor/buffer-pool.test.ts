import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BufferPool } from '../../../models/tensor/buffer-pool.js';

describe('BufferPool', () => {
  test('gives a buffer that is large enough and at most a quarter larger', () => {
    fc.assert(
      fc.property(fc.nat(1e7), (bytes) => {
        const { byteLength } = new BufferPool().take(bytes);
        expect(byteLength).toBeGreaterThanOrEqual(bytes);
        expect(byteLength).toBeLessThanOrEqual(Math.max(64, 1.25 * bytes));
      }),
    );
  });

  test('gives a buffer again once it is back, to one user at a time', () => {
    const pool = new BufferPool();
    const first = pool.take(1000);
    pool.give(first);
    expect(pool.take(1010)).toBe(first);
    expect(pool.take(1010)).not.toBe(first);
  });

  test('lets idle buffers go when they would hold too much memory', () => {
    const pool = new BufferPool();
    const large = Array.from({ length: 5 }, () => pool.take(2 ** 27));
    for (const buffer of large) pool.give(buffer);
    expect(pool.take(2 ** 27)).toBe(large[4]);
    expect(large).not.toContain(pool.take(2 ** 27));
  });
});
