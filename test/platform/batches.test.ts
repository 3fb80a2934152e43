import { describe, expect, test } from '@jest/globals';
import { Batches, type BatchesOptions } from '../../platform/batches.js';

const doubled = (items: readonly number[]) =>
  items.map(
    (item): PromiseSettledResult<number> =>
      item < 0
        ? { status: 'rejected', reason: new Error(`${item}`) }
        : { status: 'fulfilled', value: 2 * item },
  );

type Work = BatchesOptions<number, number>['work'];

/** Of three at most. */
const batchesOf = (work: Work, sizeOf: (item: number) => number = () => 1) =>
  new Batches<number, number>({ work, sizeOf, mostTogether: 3 });

describe('batches', () => {
  test('hold what came for the same thing while the one before was under way, so many at most', async () => {
    const seen: (readonly number[])[] = [];
    const batches = batchesOf(async (_, { claim }) => {
      const items = claim();
      await new Promise(setImmediate);
      seen.push(items);
      return doubled(items);
    });
    const results = [10, 20, 30, 40, 50].map((item) => batches.add('it', item));
    expect(await Promise.all(results)).toEqual([20, 40, 60, 80, 100]);
    expect(seen).toEqual([[10], [20, 30, 40], [50]]);
    expect(await batches.add('it', 60)).toBe(120);
  });

  test('are no larger than they may be, unless one item alone is', async () => {
    const seen: (readonly number[])[] = [];
    const work: Work = async (_, { claim }) => {
      await new Promise(setImmediate);
      const items = claim();
      seen.push(items);
      return doubled(items);
    };
    const batches = batchesOf(work, (item) => item);
    await Promise.all([1, 2, 1, 9, 1, 1, 2].map((item) => batches.add('it', item)));
    expect(seen).toEqual([[1, 2], [1], [9], [1, 1], [2]]);
  });

  test('of different things go on beside each other', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const batches = batchesOf(async (thing, { claim }) => {
      const items = claim();
      if (thing === 'held') await held;
      return doubled(items);
    });
    const waiting = batches.add('held', 1);
    expect(await batches.add('other', 2)).toBe(4);
    release();
    expect(await waiting).toBe(2);
  });

  test('give each item its own failure, and all of a batch that failed the same', async () => {
    const batches = batchesOf(async (thing, { claim }) => {
      const items = claim();
      await new Promise(setImmediate);
      if (thing === 'broken') throw new Error('all');
      return doubled(items);
    });
    const settled = (thing: string, items: readonly number[]) =>
      Promise.allSettled(items.map((item) => batches.add(thing, item)));
    const [, good, bad] = await settled('it', [1, 2, -3]);
    expect([good?.status, bad?.status]).toEqual(['fulfilled', 'rejected']);
    const failed = await settled('broken', [1, 2, 3]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await batches.add('it', 4)).toBe(8);
  });

  test('hold what comes until they are claimed, and fail together where they are not', async () => {
    const sizes: number[] = [];
    const batches = batchesOf(async (thing, { first, claim }) => {
      expect(first).toBe(1);
      await new Promise(setImmediate);
      if (thing === 'unclaimed') throw new Error('not yet');
      const items = claim();
      sizes.push(items.length);
      return doubled(items);
    });
    const settled = (thing: string) =>
      Promise.allSettled([1, 2, 3].map((item) => batches.add(thing, item)));
    expect((await settled('it')).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect(sizes).toEqual([3]);
    const failed = await settled('unclaimed');
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });
});
