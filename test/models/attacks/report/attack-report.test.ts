import { describe, expect, test } from '@jest/globals';
import { pairStatistics } from '../../../../models/attacks/likelihood/pair-statistics.js';
import { attackReport, pairReport } from '../../../../models/attacks/report/attack-report.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import { estimate } from '../../../../models/statistics/estimate.js';
import { Random } from '../../../../models/tensor/random.js';

const heading = {
  name: 'guess',
  attack: 'fresh-adversary',
  description: 'guesses',
  task: 'tell a pair apart',
} as const;
const traits = {
  type: 'NAME',
  form: 'other words',
  frequency: 'rare',
  length: 'up to 8 tokens',
} as const;

function guesses(random: Random, count: number) {
  return [...random.normals(count)].map((score, i) => {
    const documentIndex = i >> 3;
    return { documentIndex, score, real: random.integer(2) === 0, limit: 0.5, traits };
  });
}

function coins(random: Random, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    documentIndex: i >> 3,
    success: random.integer(2) === 0,
  }));
}

describe('a report', () => {
  test('takes documents that belong together for one', () => {
    const one = coins(new Random(5), 400);
    const copied = [0, 1, 2, 3].flatMap((copy) =>
      one.map((each) => ({ ...each, documentIndex: 1000 * copy + each.documentIndex })),
    );
    const origins = new Map(
      copied.map(({ documentIndex }) => [documentIndex, documentIndex % 1000]),
    );
    const report = (outcomes: typeof one, known?: typeof origins) =>
      attackReport(heading, outcomes, 0.5, { comparisons: 1, origins: known });
    const together = report(copied, origins);
    expect(together.documents).toBe(50);
    const [low, high] = together.success.interval;
    const [apartLow, apartHigh] = report(copied).success.interval;
    expect(apartHigh - apartLow).toBeLessThan(0.6 * (high - low));
    const [onceLow, onceHigh] = report(one).success.interval;
    expect(high - low).toBeGreaterThan(0.9 * (onceHigh - onceLow));
  });

  test('raises no more false alarms than it says, over 100 small audits of guessing attacks', () => {
    const random = new Random(2);
    const attacks = 5;
    let alarmed = 0;
    for (let audit = 0; audit < 100; audit++) {
      const reports = Array.from({ length: attacks }, () =>
        attackReport(heading, coins(random, 160), 0.5, { comparisons: attacks }),
      );
      if (reports.some((report) => beatsChance(report, { comparisons: attacks }))) alarmed += 1;
    }
    // 2.5 % of all audits on average; 8 of 100 is beyond the 99th percentile of that.
    expect(alarmed).toBeLessThanOrEqual(8);
  });

  test('slices by traits where a slice is large enough to say anything', () => {
    const pairs = guesses(new Random(1), 64);
    const few = pairs.map((pair, i) =>
      i < 9 ? { ...pair, traits: { ...traits, type: 'DATE' } } : pair,
    );
    const { slices } = pairReport(heading, few, { comparisons: 1 });
    expect(slices.filter(({ by }) => by === 'type').map(({ value }) => value)).toEqual(['NAME']);
    const inFewNotes = pairs.map((pair) => ({ ...pair, documentIndex: pair.documentIndex % 4 }));
    expect(pairReport(heading, inFewNotes, { comparisons: 1 }).slices).toEqual([]);
  });

  test('proves an ε only of pairs with one moved token', () => {
    const pairs = guesses(new Random(1), 40);
    expect(pairReport(heading, pairs, { comparisons: 1 }).pairs?.epsilon).not.toBeNull();
    const blind = pairs.map((pair) => ({ ...pair, blind: pair.real ? 1 : -1 }));
    expect(pairStatistics(blind)).toMatchObject({ epsilon: null, blind: { auc: 1 } });
    expect(pairStatistics(pairs).blind).toBeUndefined();
  });

  test('knows nothing of pairs of one kind, and of none', () => {
    const anything = {
      intervals: {
        ...{ auc: [0, 1], truePositivesAt1Percent: [0, 1], truePositivesAt01Percent: [0, 1] },
      },
      roc: [],
    };
    const reals = guesses(new Random(1), 20).map((pair) => ({ ...pair, real: true }));
    for (const pairs of [[], reals]) expect(pairStatistics(pairs)).toMatchObject(anything);
    const none = {
      ...{ trials: 0, advantage: 0 },
      gain: { value: 0, interval: [-1, 1], corrected: [-1, 1] },
    };
    for (const guessing of ['tried', 0.5] as const)
      expect(attackReport(heading, [], guessing, { comparisons: 1 })).toMatchObject(none);
  });

  test('knows of pairs of one document how well these were told apart, and nothing of others', () => {
    const pairs = guesses(new Random(1), 40).map((pair) => ({ ...pair, documentIndex: 3 }));
    const { auc, intervals } = pairStatistics(pairs);
    expect(auc).not.toBe(0.5);
    expect(Object.values(intervals)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  test('has a limit whose interval is that of the certified bound of its pairs, and never under a half', () => {
    const pairs = guesses(new Random(1), 80).map((pair, i) => {
      return { ...pair, limit: i % 16 === 0 ? 0.9 : 0.5 };
    });
    const { limit } = pairReport(heading, pairs, { comparisons: 3 });
    const values = pairs.map((pair) => ({ ...pair, value: pair.limit }));
    expect(limit).toEqual(estimate(values, 3, 0.5));
    expect(limit?.interval[0]).toBeGreaterThanOrEqual(0.5);
    const alone = pairReport(heading, pairs.slice(0, 8), { comparisons: 1 });
    expect(alone.limit?.interval).toEqual([0.5, 1]);
  });

  test('has an advantage of exactly 1 for certainty, however guessing was tried', () => {
    for (let trials = 1; trials < 60; trials++) {
      const outcomes = Array.from({ length: trials }, (_, i) => {
        return { documentIndex: i, success: true, guessed: 1 / (3 + (i % 7)) };
      });
      const report = attackReport(heading, outcomes, 'tried', { comparisons: 1 });
      expect(report.advantage).toBeLessThanOrEqual(1);
      expect(report.advantage).toBeCloseTo(1, 10);
    }
  });

  test('compares success with guessing trial by trial where guessing was tried', () => {
    // Half of the trials are easy, for guessing too: what is gained is sure though success varies.
    const outcomes = Array.from({ length: 80 }, (_, i) => {
      return {
        documentIndex: i,
        success: i % 2 === 0 || i % 8 === 1,
        guessed: Number(i % 2 === 0),
      };
    });
    const { success, chance, gain } = attackReport(heading, outcomes, 'tried', { comparisons: 1 });
    expect(chance).toBe(0.5);
    expect(gain.value).toBeCloseTo(success.value - chance, 10);
    expect(gain.interval[0]).toBeGreaterThan(0);
    expect(success.interval[0]).toBeLessThan(chance + 0.02);
  });

  test('sees that rare successes are more than guessing, where guessing is a likelihood', () => {
    const outcomes = (successes: number) =>
      Array.from({ length: 300 }, (_, i) => ({
        documentIndex: i,
        success: i < successes,
        guessed: 1 / (400 + (i % 2) * 200),
      }));
    const of = (successes: number) =>
      attackReport(heading, outcomes(successes), 'tried', { comparisons: 15 });
    expect(beatsChance(of(8), { comparisons: 15 })).toBe(true);
    expect(beatsChance(of(2), { comparisons: 15 })).toBe(false);
  });

  test('raises few false alarms where a likely guess differs from trial to trial', () => {
    const random = new Random(3);
    let alarmed = 0;
    for (let audit = 0; audit < 200; audit++) {
      const outcomes = Array.from({ length: 160 }, (_, i) => {
        const options = 4 + (i % 60);
        return {
          documentIndex: i >> 2,
          success: random.integer(options) === 0,
          guessed: 1 / options,
        };
      });
      const report = attackReport(heading, outcomes, 'tried', { comparisons: 1 });
      if (beatsChance(report, { comparisons: 1 })) alarmed += 1;
    }
    // 2.5 % of all audits on average; 12 of 200 is beyond the 99th percentile of that.
    expect(alarmed).toBeLessThanOrEqual(12);
  });

  test('has an advantage of 0 for guessing and 1 for certainty', () => {
    const outcomes = (success: (i: number) => boolean) =>
      Array.from({ length: 40 }, (_, i) => ({ documentIndex: i, success: success(i) }));
    const of = (success: (i: number) => boolean) =>
      attackReport(heading, outcomes(success), 0.25, { comparisons: 1 }).advantage;
    expect(of((i) => i % 4 === 0)).toBe(0);
    expect(of(() => true)).toBe(1);
  });
});
