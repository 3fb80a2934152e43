import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import {
  batchOf,
  lengthBuckets,
  stratifiedBatches,
} from '../../../../models/training/data/batch.js';

const example = (length: number, phi = 0) => ({
  labels: new Uint8Array(length).fill(phi),
});

const examples = Array.from({ length: 101 }, (_, i) => example(1 + ((i * 7) % 23), i % 3 ? 0 : 1));

describe('length buckets', () => {
  test('hold every sentence once, whatever the order', () => {
    const batches = [...lengthBuckets(examples, 8, new Random(3))];
    const seen = batches.flatMap((batch) => batch.examples);
    expect(new Set(seen).size).toBe(examples.length);
    expect(seen).toHaveLength(examples.length);
  });

  test('are the same for the same seed and differ between seeds', () => {
    const order = (seed: number) =>
      [...lengthBuckets(examples, 8, new Random(seed))].map((batch) => batch.tokens);
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
  });

  test('pad less than batches cut at random', () => {
    const padded = [...lengthBuckets(examples, 8, new Random(1))].reduce(
      (sum, batch) => sum + batch.steps * batch.examples.length,
      0,
    );
    let random = 0;
    for (let i = 0; i < examples.length; i += 8) {
      const batch = batchOf(examples.slice(i, i + 8));
      random += batch.steps * batch.examples.length;
    }
    expect(padded).toBeLessThan(random);
  });
});

describe('a batch', () => {
  test('pads labels with zeros and counts true tokens', () => {
    const batch = batchOf([example(2, 1), example(4, 1)]);
    expect(batch.steps).toBe(4);
    expect([...batch.labels]).toEqual([1, 1, 0, 0, 1, 1, 1, 1]);
    expect(batch.tokens).toBe(6);
  });
});

describe('stratified batches', () => {
  const wanted = (each: { labels: Uint8Array }) => each.labels[0] === 1;

  test('put wanted sentences first and in every batch', () => {
    const batches = [...stratifiedBatches(examples, wanted, 8, new Random(5))];
    for (const { batch, wanted: count } of batches) {
      expect(count).toBeGreaterThan(0);
      expect(batch.examples.map(wanted)).toEqual(batch.examples.map((_, i) => i < count));
    }
    expect(batches.flatMap(({ batch }) => batch.examples)).toHaveLength(examples.length);
  });

  test('grow where there are fewer wanted sentences than batches', () => {
    const rare = [example(3, 1), ...Array.from({ length: 40 }, () => example(3))];
    const batches = [...stratifiedBatches(rare, wanted, 8, new Random(5))];
    expect(batches.map(({ wanted: count, batch }) => [count, batch.examples.length])).toEqual([
      [1, 41],
    ]);
  });
});
