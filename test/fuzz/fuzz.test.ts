import { describe, expect, test } from '@jest/globals';
import { Random } from '../../models/tensor/random.js';
import { fuzz } from './fuzz.js';
import { mutate } from './mutation.js';
import { TARGETS } from './targets.js';

const INPUTS = 250;

describe('on mutated files', () => {
  test.each(Object.keys(TARGETS))('%s reads soundly or refuses', async (name) => {
    const target = TARGETS[name];
    if (target === undefined) throw new Error(`there is no target ${name}`);
    const inputs = INPUTS * (target.share ?? 1);
    const { read } = await fuzz(target, { seed: 1, from: 0, inputs });
    expect(read).toBeGreaterThan(0);
  });

  test('the same seed and number give the same input', () => {
    const samples = [Buffer.from('Seen by Ann.'), Buffer.from('Lee')];
    const inputs = [7, 7, 8].map((n) => mutate(samples, new Random(3).fork(String(n))).toString());
    expect(inputs[0]).toBe(inputs[1]);
    expect(inputs[0]).not.toBe(inputs[2]);
  });
});
