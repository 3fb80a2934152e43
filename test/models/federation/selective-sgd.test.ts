import { describe, expect, test } from '@jest/globals';
import { AveragedWeights, changesOf } from '../../../models/federation/averaging.js';
import { SelectiveWeights, selectChanges } from '../../../models/federation/selective-sgd.js';
import { overwrite } from '../../../models/federation/weight-update.js';
import { Random } from '../../../models/tensor/random.js';

const EVERYTHING = { downloadShare: 1, uploadShare: 1, bound: 10, threshold: 0 };

describe('what a worker of selective SGD uploads', () => {
  const before = Float32Array.of(0, 0, 0, 0, 1, 1);
  const after = Float32Array.of(0.5, -30, 0.00005, 0, 1, 20);

  test('is every change over the threshold, clamped', () => {
    const config = { ...EVERYTHING, threshold: 0.0001 };
    const { places, values } = selectChanges(before, after, config, new Random(1));
    expect([...(places ?? [])]).toEqual([0, 1, 5]);
    expect([...values]).toEqual([0.5, -10, 10]);
  });

  test('is no more than its share of all weights, every choice equally likely', () => {
    const config = { ...EVERYTHING, threshold: 0.0001, uploadShare: 1 / 6 };
    const counts = new Map<number, number>();
    for (let seed = 0; seed < 300; seed++) {
      const { places } = selectChanges(before, after, config, new Random(seed));
      expect(places?.length).toBe(1);
      const place = places?.[0] as number;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([0, 1, 5]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(60);
  });
});

describe('the server of selective SGD', () => {
  test('adds and counts, and hands out what was updated most often', () => {
    const server = new SelectiveWeights(new Float32Array(4));
    server.add({ places: Uint32Array.of(1, 3), values: Float32Array.of(1, 2) });
    server.add({ places: Uint32Array.of(3), values: Float32Array.of(0.5) });
    const { places, values } = server.mostUpdated(0.5, new Random(1));
    expect([...(places ?? [])]).toEqual([1, 3]);
    expect([...values]).toEqual([1, 2.5]);
    expect([...server.counts]).toEqual([0, 1, 0, 2]);
  });

  test('breaks ties by lot, and gives all or nothing where all or nothing is asked for', () => {
    const server = new SelectiveWeights(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    const chosen = new Set(
      Array.from({ length: 40 }, (_, seed) =>
        server.mostUpdated(0.25, new Random(seed)).places?.join(),
      ),
    );
    expect(chosen.size).toBeGreaterThan(10);
    expect(server.mostUpdated(0, new Random(1)).values.length).toBe(0);
    const all = new Float32Array(8);
    overwrite(all, server.mostUpdated(1, new Random(1)));
    expect(all).toEqual(server.weights);
  });

  test.each([
    ['another number of values', { values: new Float32Array(3) }],
    ['a place beyond the last', { places: Uint32Array.of(4), values: Float32Array.of(1) }],
    ['a place twice', { places: Uint32Array.of(1, 1), values: Float32Array.of(1, 1) }],
    ['NaN', { places: Uint32Array.of(1), values: Float32Array.of(Number.NaN) }],
  ])('refuses an update with %s, and keeps its weights', (_, update) => {
    const server = new SelectiveWeights(new Float32Array(4));
    expect(() => server.add(update)).toThrow(
      expect.objectContaining({ code: 'federation-update-invalid' }),
    );
    expect([...server.weights, ...server.counts]).toEqual(new Array(8).fill(0));
  });

  test('refuses a change that would make a weight infinite, and keeps its weights', () => {
    const server = new SelectiveWeights(new Float32Array(2));
    const huge = { places: Uint32Array.of(1), values: Float32Array.of(3e38) };
    server.add(huge);
    expect(() => server.add(huge)).toThrow(
      expect.objectContaining({ code: 'federation-update-invalid' }),
    );
    expect([...server.weights]).toEqual([0, Math.fround(3e38)]);
    expect([...server.counts]).toEqual([0, 1]);
  });
});

test('averaging weighs changes by their texts, and counts a worker once a round', () => {
  const server = new AveragedWeights(Float32Array.of(1, 1));
  const update = changesOf(server.weights, Float32Array.of(2, 1));
  server.add('a', { update, texts: 1 });
  server.add('a', { update, texts: 1 });
  server.add('b', { update: changesOf(server.weights, Float32Array.of(1, 5)), texts: 3 });
  server.close();
  expect([...server.weights]).toEqual([1.25, 4]);
  expect(server.round).toBe(2);
  server.close();
  expect([...server.weights]).toEqual([1.25, 4]);
});

describe('averaging never makes a weight infinite', () => {
  const HUGE = Math.fround(3e38);
  const update = (...values: number[]) => ({
    update: { values: Float32Array.from(values) },
    texts: 1,
  });

  test('a change that would is refused, and the round goes on without it', () => {
    const server = new AveragedWeights(Float32Array.of(HUGE, 1));
    expect(() => server.add('a', update(HUGE, 0))).toThrow(
      expect.objectContaining({ code: 'federation-update-invalid' }),
    );
    server.add('b', update(0, 1));
    server.close();
    expect([...server.weights]).toEqual([HUGE, 2]);
  });

  test('changes that came before such were refused are left out, each alone', () => {
    const received = new Map([
      ['a', { ...update(HUGE, 0), texts: Number.MAX_SAFE_INTEGER }],
      ['b', update(0, 1)],
    ]);
    const server = new AveragedWeights(Float32Array.of(HUGE, 1), 3, received);
    server.close();
    expect([...server.weights]).toEqual([HUGE, 2]);
    expect(server.round).toBe(4);
    expect(server.received.size).toBe(0);
  });

  test('changes that are each finite alone are so together', () => {
    const server = new AveragedWeights(Float32Array.of(1, -HUGE));
    for (const worker of ['a', 'b', 'c']) server.add(worker, update(HUGE, HUGE));
    server.close();
    expect([...server.weights].every(Number.isFinite)).toBe(true);
  });
});
