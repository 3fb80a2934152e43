import { describe, expect, test } from '@jest/globals';
import { TRAINING_DEFAULTS, trainingConfig } from '../../../models/training/config.js';

describe('a training configuration', () => {
  test('is the defaults where a file says nothing', () => {
    expect(trainingConfig({})).toEqual(TRAINING_DEFAULTS);
  });

  test('takes over single keys of a section and keeps the rest', () => {
    const config = trainingConfig({ seed: 7, representation: { dimension: 100 } });
    expect(config.seed).toBe(7);
    expect(config.representation).toEqual({
      ...TRAINING_DEFAULTS.representation,
      dimension: 100,
    });
  });

  test.each([
    [{ sede: 1 }, "'sede'"],
    [{ learner: { rate: 1 } }, "'rate'"],
    [{ deidentifier: { outputDropout: 1.5 } }, '/deidentifier/outputDropout'],
    [{ neighbours: 0 }, '/neighbours'],
    [[], 'must be object'],
  ])('names what is wrong in %j', (value, problem) => {
    expect(() => trainingConfig(value, 'a.json')).toThrow(problem);
    expect(() => trainingConfig(value, 'a.json')).toThrow(/^a\.json: /);
  });
});
