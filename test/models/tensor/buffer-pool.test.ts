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
    const pool = new BufferPool(10_000);
    const large = Array.from({ length: 5 }, () => pool.take(4096));
    for (const buffer of large) pool.give(buffer);
    const found = large.map(() => pool.take(4096)).filter((buffer) => large.includes(buffer));
    expect(found).toHaveLength(2);
  });

  test('forgets those first that were asked for longest ago', () => {
    const pool = new BufferPool(10_000);
    const [old, recent] = [pool.take(4096), pool.take(5120)];
    pool.give(old);
    pool.give(recent);
    pool.give(pool.take(3072));
    expect(pool.take(5120)).toBe(recent);
    expect(pool.take(4096)).not.toBe(old);
  });
});
