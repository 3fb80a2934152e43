import { describe, expect, test } from '@jest/globals';
import {
  epsilonOf,
  leastEpsilon,
  noiseMultiplierFor,
  renyiDivergence,
} from '../../../models/federation/privacy-accounting.js';

/** Of the tests of Google's dp_accounting and of TensorFlow Privacy's accountant before it. */
describe('published values of the sampled Gaussian mechanism', () => {
  test.each([
    [{ samplingRate: 0.01, noiseMultiplier: 2.5, steps: 50 }, 5, 2.18075656e-3],
    [{ samplingRate: 0.01, noiseMultiplier: 2.5, steps: 50 }, 50, 2.38460375e-2],
    [{ samplingRate: 0.01, noiseMultiplier: 2.5, steps: 50 }, 100, 1.67416308e2],
    [{ samplingRate: 0.1, noiseMultiplier: 2, steps: 10 }, 5, 0.07737],
    [{ samplingRate: 1, noiseMultiplier: 10, steps: 1 }, 20, 0.1],
    [{ samplingRate: 0, noiseMultiplier: 10, steps: 1 }, 20, 0],
  ])('%j has a divergence of order %d of %d', (mechanism, order, published) => {
    const found = renyiDivergence(mechanism, order);
    expect(Math.abs(found - published)).toBeLessThanOrEqual(1e-4 * published);
  });

  test('a divergence of 1.1 at every order to 32 is an epsilon of 1.32783806176 at 1e-5', () => {
    const orders = Array.from({ length: 31 }, (_, i) => i + 2);
    expect(leastEpsilon(() => 1.1, 1e-5, orders)).toBeCloseTo(1.32783806176, 9);
  });

  test('a Gaussian of deviation 4.530877117 is (1, 1e-6), which whole orders miss by less than a thousandth', () => {
    const mechanism = { samplingRate: 1, noiseMultiplier: 4.530877117, steps: 1 };
    const found = epsilonOf(mechanism, 1e-6);
    expect(found).toBeGreaterThanOrEqual(1 - 1e-6);
    expect(found).toBeLessThan(1.001);
  });
});

test('the divergence of order 2 is the one that integration gives', () => {
  // ∫ (ν/μ)² μ with ν the mixture: 1 + q² (exp(1/σ²) − 1).
  const [q, sigma] = [0.2, 1.3];
  const found = renyiDivergence({ samplingRate: q, noiseMultiplier: sigma, steps: 3 }, 2);
  expect(found).toBeCloseTo(3 * Math.log(1 + q * q * (Math.exp(1 / sigma ** 2) - 1)), 12);
});

test('more noise or fewer steps cost less, and the noise that is asked for keeps to what was asked', () => {
  const mechanism = { samplingRate: 0.05, steps: 200 };
  const at = (noiseMultiplier: number, steps = 200) =>
    epsilonOf({ samplingRate: 0.05, noiseMultiplier, steps }, 1e-5);
  expect(at(2)).toBeLessThan(at(1));
  expect(at(1, 100)).toBeLessThan(at(1));
  const sigma = noiseMultiplierFor({ epsilon: 4, delta: 1e-5 }, mechanism);
  expect(at(sigma)).toBeLessThanOrEqual(4);
  expect(at(sigma - 0.01)).toBeGreaterThan(4);
  // As little as a promise that says next to nothing asks for.
  const least = noiseMultiplierFor({ epsilon: 1e6, delta: 1e-5 }, mechanism);
  expect(at(least)).toBeLessThanOrEqual(1e6);
  expect(at(0.9 * least)).toBeGreaterThan(1e6);
  expect(() => noiseMultiplierFor({ epsilon: 1e-9, delta: 1e-12 }, mechanism)).toThrow(
    /no noise keeps 200 steps/,
  );
});
