import { describe, expect, test } from '@jest/globals';
import { RoundAverage } from '../../../models/federation/round-average.js';

const averaged = (decay: number, rounds: readonly number[]) => {
  const average = new RoundAverage(new Float32Array(1), decay);
  for (const weight of rounds) average.add(Float32Array.of(weight));
  return average.weights[0] as number;
};

describe('an average of weights over rounds', () => {
  test('is their mean while few are known, and forgets the first ones at its rate later', () => {
    expect(averaged(0.9, [4])).toBe(4);
    expect(averaged(0.9, [4, 8])).toBeCloseTo(6);
    expect(averaged(0.9, [4, 8, 6])).toBeCloseTo(6);
    const forgotten = averaged(0.5, [1, ...new Array(20).fill(0)]);
    expect(forgotten).toBeCloseTo(0.5 ** 20, 8);
  });

  test('goes on from what it was', () => {
    const whole = new RoundAverage(new Float32Array(1), 0.7);
    for (const weight of [3, 1, 4]) whole.add(Float32Array.of(weight));
    const first = new RoundAverage(new Float32Array(1), 0.7);
    for (const weight of [3, 1]) first.add(Float32Array.of(weight));
    const rest = new RoundAverage(first.weights, 0.7, first.rounds);
    rest.add(Float32Array.of(4));
    expect(rest.weights).toEqual(whole.weights);
  });

  test('is the last one where a round is long enough to forget the rest', () => {
    expect(averaged(0, [4, 8, 6])).toBe(6);
  });
});
