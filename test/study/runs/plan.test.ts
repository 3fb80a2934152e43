import { describe, expect, test } from '@jest/globals';
import { plannedRuns } from '../../../study/runs/plan.js';

const search = {
  name: 'search',
  kind: 'raw',
  draws: 6,
  over: {
    'deidentifier.units': [32, 64, 128, 256],
    'deidentifier.inputDropout': [0, 0.05, 0.1, 0.25],
    'learner.learningRate': { from: 1e-4, to: 1e-2, scale: 'logarithmic' },
  },
};

describe('a random search in a plan', () => {
  test('draws so many different combinations, a run for each and each seed', () => {
    const runs = plannedRuns({ random: [{ ...search, seeds: 2 }] });
    expect(runs.map(({ directory }) => directory)).toEqual(
      [1, 2, 3, 4, 5, 6].flatMap((i) => [`search-${i}/seed-1`, `search-${i}/seed-2`]),
    );
    const settings = runs.map((run) => JSON.stringify({ ...run.settings, seed: 0 }));
    expect(new Set(settings).size).toBe(6);
  });

  test('takes values from its lists and between its ends', () => {
    for (const { settings } of plannedRuns({ random: [{ ...search, draws: 50 }] })) {
      const { deidentifier, learner } = settings as {
        deidentifier: { units: number; inputDropout: number };
        learner: { learningRate: number };
      };
      expect(search.over['deidentifier.units']).toContain(deidentifier.units);
      expect(search.over['deidentifier.inputDropout']).toContain(deidentifier.inputDropout);
      expect(learner.learningRate).toBeGreaterThanOrEqual(1e-4);
      expect(learner.learningRate).toBeLessThanOrEqual(1e-2);
    }
  });

  test('takes no value from beyond its ends where they are near each other', () => {
    const [from, to] = [0.9985, 0.9999];
    const over = { 'learner.averaging': { from, to } };
    for (const { settings } of plannedRuns({ random: [{ ...search, over, draws: 5 }] })) {
      const { learner } = settings as { learner: { averaging: number } };
      expect(learner.averaging).toBeGreaterThanOrEqual(from);
      expect(learner.averaging).toBeLessThanOrEqual(to);
    }
  });

  test('draws each whole number of a range as often, its ends among them', () => {
    const over = { lambda: { from: 0, to: 1 }, batchSentences: { from: 1, to: 3, whole: true } };
    const counts = new Map<number, number>();
    for (const { settings } of plannedRuns({ random: [{ ...search, over, draws: 600 }] })) {
      const { batchSentences } = settings as { batchSentences: number };
      counts.set(batchSentences, (counts.get(batchSentences) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3]);
    // Five standard deviations from 200.
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(58);
  });

  test('is the same each time, begins with those of fewer draws, and is another with another seed', () => {
    const drawn = (over: object) =>
      plannedRuns({ random: [{ ...search, ...over }] }).map(({ settings }) => settings);
    expect(drawn({})).toEqual(drawn({}));
    expect(drawn({ draws: 9 }).slice(0, 6)).toEqual(drawn({}));
    expect(drawn({ drawSeed: 2 })).not.toEqual(drawn({}));
  });

  test.each([
    ['more draws than there are combinations', { over: { lambda: [1, 2] } }, /found 2/],
    ['an end that is not above the other', { over: { lambda: { from: 2, to: 1 } } }, /below/],
    [
      'whole numbers where there are none',
      { over: { batchSentences: { from: 1.2, to: 1.8, whole: true } } },
      /a whole number between them/,
    ],
    [
      'orders of magnitude from 0',
      { over: { lambda: { from: 0, to: 1, scale: 'logarithmic' } } },
      /above 0/,
    ],
    ['the seed of the runs', { over: { seed: [1, 2] } }, /belongs in "seeds"/],
  ])('refuses %s', (_, over, message) => {
    expect(() => plannedRuns({ random: [{ ...search, ...over }] })).toThrow(message);
  });
});
