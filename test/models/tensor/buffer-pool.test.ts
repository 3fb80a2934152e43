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

  test('gives a larger one where none of the size is idle, but none that is larger by far', () => {
    const pool = new BufferPool();
    const [small, large, huge] = [pool.take(100), pool.take(2500), pool.take(10_000)];
    for (const buffer of [small, large, huge]) pool.give(buffer);
    expect(pool.take(1000)).toBe(large);
    expect([small, large, huge]).not.toContain(pool.take(1000));
  });

  test('keeps as much as was once in use at once, and no more', () => {
    const pool = new BufferPool(0);
    const once = [pool.take(4096), pool.take(4096)];
    for (const buffer of once) pool.give(buffer);
    const other = pool.take(1024);
    pool.give(other);
    const again = [pool.take(4096), pool.take(4096)];
    expect(again.filter((buffer) => once.includes(buffer))).toHaveLength(1);
    expect(pool.take(1024)).toBe(other);
  });

  test('lets go of what was in use at once long ago', () => {
    const pool = new BufferPool(0, 100);
    const once = Array.from({ length: 10 }, () => pool.take(4096));
    for (const buffer of once) pool.give(buffer);
    for (let i = 0; i < 1000; i++) pool.give(pool.take(64));
    const again = Array.from({ length: 10 }, () => pool.take(4096));
    expect(again.filter((buffer) => once.includes(buffer))).toHaveLength(0);
  });

  test('does not count what will not come back', () => {
    const pool = new BufferPool(0);
    const once = Array.from({ length: 4 }, () => pool.take(4096));
    for (const buffer of once) pool.give(buffer);
    for (let i = 0; i < 3; i++) pool.lose(pool.take(4096));
    pool.give(pool.take(8192));
    expect(once).toContain(pool.take(4096));
  });

  test('keeps what it is told to in any case', () => {
    const pool = new BufferPool(10_000);
    const [small, large] = [1024, 4096].map((size) => {
      const buffer = pool.take(size);
      pool.give(buffer);
      return buffer;
    });
    expect(pool.take(4096)).toBe(large);
    expect(pool.take(1024)).toBe(small);
  });

  test('forgets those first that were asked for longest ago', () => {
    const pool = new BufferPool(14_000);
    const [old, recent] = [1024, 5120, 8192].map((size) => {
      const buffer = pool.take(size);
      pool.give(buffer);
      return buffer;
    });
    expect(pool.take(5120)).toBe(recent);
    expect(pool.take(1024)).not.toBe(old);
  });
});
