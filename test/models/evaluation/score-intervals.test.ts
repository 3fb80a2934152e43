import { describe, expect, test } from '@jest/globals';
import { CountColumns, type CountRow } from '../../../models/evaluation/count-columns.js';
import type { Counts } from '../../../models/evaluation/score.js';
import { scoreIntervals } from '../../../models/evaluation/score-intervals.js';
import { scoredTypes, scoresOf } from '../../../models/evaluation/scores.js';
import { clopperPearson } from '../../../models/statistics/binomial.js';
import { bootstrapIntervals } from '../../../models/statistics/bootstrap.js';
import { Random } from '../../../models/tensor/random.js';

const NAMES = ['precision', 'recall', 'f1'].map((name) => `token.binary.${name}`);

/** Of binary tokens, from the counts of each origin. */
function intervalsOf(counts: readonly Counts[], options = { seed: 1, resamples: 200 }) {
  const columns = new CountColumns();
  const rows = counts.map((each) => {
    const { tp, fn } = each;
    const leaked = { tp: fn === 0 && tp > 0 ? 1 : 0, fp: 0, fn: fn > 0 ? 1 : 0 };
    const typed = ['all/binary', 'all/micro', 'type/NAME'].map((name) => [`token/${name}`, each]);
    return columns.pack(
      new Map([...(typed as [string, Counts][]), ['documents/all', leaked] as const]),
    );
  });
  const types = scoredTypes(columns, null);
  const scorer = (sample: readonly CountRow[]) => scoresOf(columns.sum(sample), types);
  return scoreIntervals(rows, scorer, options);
}

const RIGHT = { tp: 20, fp: 0, fn: 0 };
const alike = (count: number, counts: Counts = RIGHT) => Array<Counts>(count).fill(counts);

describe('intervals of scores', () => {
  test('of nine origins there are none', () => {
    expect(intervalsOf(alike(9)).size).toBe(0);
  });

  test('none is without a width where nothing is missed, and none that says nothing is given', () => {
    for (const count of [10, 40]) {
      const found = intervalsOf(alike(count));
      for (const name of NAMES) {
        const [low, high] = found.get(name) as readonly [number, number];
        expect(high).toBe(1);
        expect(low).toBeLessThan(1 - 1 / count);
      }
      const leaking = found.get('leakage.documentsWithLeakShare') as readonly [number, number];
      expect(leaking[0]).toBe(0);
      expect(leaking[1]).toBeGreaterThanOrEqual(clopperPearson(0, count)[1] - 1e-9);
      expect(found.has('token.macro.f1')).toBe(false);
      expect(found.has('regions.header.token.binary.recall')).toBe(false);
    }
  });

  test('of many that differ are those of the bootstrap', () => {
    const counts = Array.from({ length: 60 }, (_, i) => ({ tp: 20, fp: i % 3, fn: i % 4 }));
    const found = intervalsOf(counts);
    const [recall] = bootstrapIntervals(
      counts,
      (sample) => {
        const sum = (of: keyof Counts) => sample.reduce((total, each) => total + each[of], 0);
        return [sum('tp') / (sum('tp') + sum('fn'))];
      },
      { seed: 1, resamples: 200 },
    );
    const own = found.get('token.binary.recall') as readonly [number, number];
    expect(own[0]).toBeCloseTo((recall as readonly [number, number])[0], 12);
    expect(own[1]).toBeCloseTo((recall as readonly [number, number])[1], 12);
    expect(found.has('token.macro.f1')).toBe(true);
  });

  test('one document with an error among many leaves it open whether others have none', () => {
    const counts = [...alike(99), { tp: 10, fp: 0, fn: 10 }];
    const [low, high] = intervalsOf(counts).get('token.binary.recall') as readonly [number, number];
    expect(high).toBeLessThan(1);
    expect(low).toBeLessThan(0.985);
  });

  test.each([
    ['missed', 'recall', { tp: 249, fp: 0, fn: 1 }],
    ['found that is none', 'precision', { tp: 250, fp: 1, fn: 0 }],
  ])('one token that is %s says no more of the others than none', (_, score, differing) => {
    const right = { tp: 250, fp: 0, fn: 0 };
    const lowOf = (counts: readonly Counts[]) =>
      intervalsOf(counts).get(`token.binary.${score}`)?.[0];
    const none = lowOf(alike(40, right)) as number;
    expect(lowOf([...alike(39, right), differing])).toBeLessThan(none + 1 / 40);
  });

  test('hold as often as they say where few documents lose much and others a token', () => {
    const random = new Random(5);
    const missed = () =>
      Array.from({ length: 250 }, () => random.uniform()).filter((u) => u < 1e-4);
    const mean = 1 - 0.04 / 2 - 0.96 * 1e-4 - (0.04 / 2) * 1e-4;
    let held = 0;
    for (let run = 0; run < 200; run++) {
      const counts = Array.from({ length: 40 }, () => {
        const lost = random.uniform() < 0.04 ? 125 : 0;
        const fn = Math.min(250, lost + missed().length);
        return { tp: 250 - fn, fp: 0, fn };
      });
      const [low, high] = intervalsOf(counts, { seed: run, resamples: 100 }).get(
        'token.binary.recall',
      ) as readonly [number, number];
      if (low <= mean && mean <= high) held += 1;
    }
    expect(held / 200).toBeGreaterThanOrEqual(0.93);
  });

  test('of a few origins that have something to count there are none, however many others there are', () => {
    const nothing = { tp: 0, fp: 0, fn: 0 };
    const found = intervalsOf([...alike(5), ...alike(60, nothing)]);
    expect(NAMES.filter((name) => found.has(name))).toEqual([]);
  });

  test.each([12, 25])('hold as often as they say, of %i origins', (count) => {
    const random = new Random(count);
    let held = 0;
    for (let run = 0; run < 100; run++) {
      const counts = Array.from({ length: count }, () => {
        const rate = random.uniform() < 0.1 ? 0.8 : 1;
        const tp = Array.from({ length: 20 }, () => random.uniform()).filter(
          (u) => u < rate,
        ).length;
        return { tp, fp: 0, fn: 20 - tp };
      });
      const [low, high] = intervalsOf(counts).get('token.binary.recall') as readonly [
        number,
        number,
      ];
      if (low <= 0.98 && 0.98 <= high) held += 1;
    }
    expect(held / 100).toBeGreaterThanOrEqual(0.92);
  });
});
