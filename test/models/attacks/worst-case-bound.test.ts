import { beforeAll, describe, expect, test } from '@jest/globals';
import { worstCaseBound } from '../../../models/attacks/worst-case-bound.js';
import {
  gaussianDelta,
  gaussianEpsilon,
} from '../../../models/certification/gaussian-mechanism.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { toyTarget } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

describe('the analytic Gaussian mechanism', () => {
  test('has total variation as its δ at ε = 0', () => {
    expect(gaussianDelta(1, 0)).toBeCloseTo(2 * 0.6914625 - 1, 6);
  });

  test.each([
    [1, 1],
    [2, 3],
    [0.5, 1],
  ])('agrees with an integral at distance %p, ε %p', (distance, epsilon) => {
    expect(gaussianDelta(distance, epsilon)).toBeCloseTo(integral(distance, epsilon), 6);
  });

  test('inverts δ, also where e^ε is beyond all numbers', () => {
    for (const distance of [0.1, 1, 5, 30, 200]) {
      const epsilon = gaussianEpsilon(distance, 1e-5);
      expect(Number.isFinite(epsilon)).toBe(true);
      expect(gaussianDelta(distance, epsilon)).toBeLessThanOrEqual(1e-5);
      expect(gaussianDelta(distance, epsilon * 0.999)).toBeGreaterThan(1e-5);
    }
    expect(gaussianEpsilon(0, 1e-5)).toBe(0);
  });
});

test('the worst case of a sentence is worse than that of a token, and noise helps', async () => {
  const [quiet, loud] = await Promise.all(
    [0.1, 1].map(async (outputStddev) =>
      worstCaseBound((await toyTarget({ outputStddev })).representation, 9),
    ),
  );
  expect(quiet.token.distance).toBeCloseTo(20, 3);
  expect(quiet.sentence.distance).toBeCloseTo(60, 3);
  expect(quiet.sentence.epsilon).toBeGreaterThan(quiet.token.epsilon);
  expect(loud.token.epsilon).toBeLessThan(quiet.token.epsilon);
});

/** ∫ max(0, p(x) − e^ε q(x)) dx for p = N(distance, 1), q = N(0, 1). */
function integral(distance: number, epsilon: number): number {
  const steps = 200_000;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const x = -15 + (30 * (i + 0.5)) / steps;
    const p = Math.exp(-((x - distance) ** 2) / 2);
    const q = Math.exp(epsilon - x ** 2 / 2);
    sum += Math.max(0, p - q);
  }
  return (sum * 30) / steps / Math.sqrt(2 * Math.PI);
}
