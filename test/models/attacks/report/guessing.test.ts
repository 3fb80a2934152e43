import { describe, expect, test } from '@jest/globals';
import { attackReport, pairReport } from '../../../../models/attacks/report/attack-report.js';
import {
  beatsChance,
  betterWhere,
  leastDetectable,
} from '../../../../models/attacks/report/guessing.js';
import { binomialTail } from '../../../../models/statistics/binomial.js';
import { Random } from '../../../../models/tensor/random.js';
import { sampleAttack } from '../sample-audit.js';

const heading = {
  name: 'judge',
  attack: 'fresh-adversary',
  description: 'judges',
  task: 'tell a pair apart',
} as const;
const traits = {
  type: 'NAME',
  form: 'other words',
  frequency: 'rare',
  length: 'up to 8 tokens',
} as const;

/** Scores without a meaning, but that so many of the first real pairs are sure. */
function judged(random: Random, count: number, sure: number) {
  return [...random.normals(count)].map((score, i) => {
    const real = i % 2 === 0;
    return {
      documentIndex: i % 50,
      score: real && i < 2 * sure ? 9 : score,
      real,
      limit: 0.6,
      traits,
    };
  });
}

const report = (random: Random, count: number, sure: number, comparisons: number) =>
  pairReport(heading, judged(random, count, sure), { comparisons });

describe('an attack on pairs', () => {
  test('beats guessing where it is sure of a few pairs, though it is right in half of them', () => {
    const attack = report(new Random(1), 1000, 40, 15);
    expect(attack.success.value).toBeLessThan(0.55);
    expect(attack.pairs?.truePositivesAt1Percent).toBeGreaterThan(0.08);
    expect(betterWhere(attack, { comparisons: 15 })).toBe('1 %');
    expect(beatsChance(report(new Random(1), 1000, 0, 15), { comparisons: 15 })).toBe(false);
  });

  test('raises no more false alarms than stated, its tails and all', () => {
    const random = new Random(3);
    let alarmed = 0;
    for (let audit = 0; audit < 40; audit++)
      if (beatsChance(report(random, 120, 0, 1), { comparisons: 1 })) alarmed += 1;
    // 2.5 % of all audits at most; 4 of 40 is beyond the 99th percentile of that.
    expect(alarmed).toBeLessThanOrEqual(4);
  });

  test('that an audit of format 3 tells of is judged by its counts', () => {
    const { pairs, ...rest } = report(new Random(1), 1000, 40, 15);
    const { reals: _, ...older } = pairs ?? {};
    const attack = { ...rest, pairs: older as typeof pairs };
    expect(betterWhere(attack, { comparisons: 15 })).toBe('1 %');
  });
});

test('an attack that confirms must find more at its threshold than chance puts there', () => {
  const corrected: [number, number] = [0.001, 0.02];
  const confirming = (found: number) =>
    sampleAttack(found, {
      task: 'confirm a note',
      trials: 100,
      chance: 0.01,
      gain: { value: found - 0.01, interval: corrected, corrected },
      pairs: {
        ...report(new Random(1), 100, 0, 1).pairs,
        ...{ truePositivesAt1Percent: found, reals: 100, fakes: 100 },
      } as NonNullable<ReturnType<typeof report>['pairs']>,
    });
  expect(beatsChance(confirming(0.03), { comparisons: 1 })).toBe(false);
  expect(beatsChance(confirming(0.3), { comparisons: 1 })).toBe(true);
});

describe('the least effect that can be detected', () => {
  test('is found four times of five', () => {
    const least = leastDetectable(sampleAttack(0.5), { comparisons: 1 });
    const level = 0.025 / 3;
    let needed = 200;
    while (binomialTail(needed, 400, 0.5) >= level) needed += 1;
    expect(binomialTail(needed, 400, least)).toBeGreaterThanOrEqual(0.8);
    expect(binomialTail(needed, 400, least - 0.002)).toBeLessThan(0.8);
  });

  test('is found as often where the tries are of few documents', () => {
    const random = new Random(7);
    const audited = (rate: number) => {
      const outcomes = Array.from({ length: 400 }, (_, i) => ({
        documentIndex: i % 10,
        success: random.uniform() < rate,
      }));
      const heading = { name: 'list', attack: 'closed-list', description: 'names' } as const;
      const task = 'name the entity' as const;
      return attackReport({ ...heading, task }, outcomes, 0.05, { comparisons: 20 });
    };
    const least = leastDetectable(audited(0.05), { comparisons: 20 });
    const found = Array.from({ length: 100 }, () =>
      beatsChance(audited(least), { comparisons: 20 }),
    ).filter(Boolean);
    expect(found.length).toBeGreaterThan(65);
  });

  test('falls with more tries and rises with more attacks', () => {
    const few = sampleAttack(0.5);
    const third: [number, number] = [-0.02, 0.02];
    const gain = { value: 0, interval: third, corrected: third };
    const many = sampleAttack(0.5, { trials: 2400, gain });
    const of = (attack: typeof few, comparisons: number) =>
      leastDetectable(attack, { comparisons });
    expect(of(many, 15)).toBeLessThan(of(few, 15));
    expect(of(few, 15)).toBeGreaterThan(of(few, 1));
    expect(of(many, 15)).toBeLessThan(0.545);
  });
});
