import { describe, expect, test } from '@jest/globals';
import { parseManifestFields } from '../../../../models/bundle/manifest.js';
import {
  recordedConfig,
  TRAINING_DEFAULTS,
  trainingConfig,
} from '../../../../models/training/configuration/config.js';
import { CONFIG_SCHEMA } from '../../../../models/training/configuration/config-schema.js';
import { manifestFields } from '../../bundle/manifest-fields.js';

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

  test('leaves out a key that no longer is, where its value means what is done without it', () => {
    const retired = { accuracyWeight: 0, rampEpochs: 0, adversaries: 1, refreshEvery: 0 };
    expect(trainingConfig({ P3: { patience: 9, ...retired } }).P3).toEqual({
      ...TRAINING_DEFAULTS.P3,
      patience: 9,
    });
    expect(() => trainingConfig({ P3: { adversaries: 3 } })).toThrow("'adversaries'");
  });

  test.each([
    [{ sede: 1 }, "'sede'"],
    [{ learner: { rate: 1 } }, "'rate'"],
    [{ deidentifier: { outputDropout: 1.5 } }, '/deidentifier/outputDropout'],
    [{ neighbours: 0 }, '/neighbours'],
    [{ deidentifier: { units: 1e300 } }, '/deidentifier/units'],
    [{ deidentifier: { layers: 1e12 } }, '/deidentifier/layers'],
    [{ batchSentences: 1e300 }, '/batchSentences'],
    [{ supervised: { maxEpochs: 1e300 } }, '/supervised/maxEpochs'],
    [{ general: { objective: 'words' } }, '/general/objective'],
    [{ general: { maskedShare: 0 } }, '/general/maskedShare'],
    [{ general: { clusters: 1 } }, '/general/clusters'],
    [{ outputNoiseFactor: 2, representation: { noise: 'dependent' } }, 'outputNoiseFactor is 2'],
    [{ augmentation: { drawn: 10 } }, 'augmentation.drawn is 10 and augmentation.replaced 0'],
    [[], 'must be object'],
  ])('names what is wrong in %j', (value, problem) => {
    expect(() => trainingConfig(value, 'a.json')).toThrow(problem);
    expect(() => trainingConfig(value, 'a.json')).toThrow(/^a\.json: /);
  });

  test('of many wrong keys is told the first, by their names alone', () => {
    const refusal = (value: object) => {
      try {
        trainingConfig(value, 'a.json');
      } catch (error) {
        return (error as Error).message;
      }
      throw new Error('it was taken');
    };
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, 1]));
    const named = (message: string) => message.match(/key-\d+/g) ?? [];
    expect(named(refusal(many(50)))).toHaveLength(20);
    expect(refusal(many(50))).toMatch(/; and 30 more$/);
    for (const value of [many(5000), { learner: many(5000) }])
      expect(named(refusal(value))).toEqual([]);
    expect(refusal({ '\u001b[2J Ana Ruiz': 1 })).toBe(
      "a.json: / must NOT have additional properties 'a key that is no name'",
    );
  });

  test('may draw copies or not, and depend on the input or have more noise', () => {
    const drawing = { replaced: 1, drawn: 10 };
    const usual = trainingConfig({ augmentation: drawing });
    expect(usual.augmentation).toMatchObject(drawing);
    const without = trainingConfig({ augmentation: { replaced: 0 } }, 'a.json', usual);
    expect(without.augmentation.replaced).toBe(0);
    trainingConfig({ representation: { noise: 'dependent' } });
    trainingConfig({ outputNoiseFactor: 2, representation: { noise: 'constant' } });
  });

  const greatest = (['representation', 'deidentifier'] as const).flatMap((section) =>
    Object.entries<object>(CONFIG_SCHEMA.properties[section].properties).flatMap(([key, schema]) =>
      'maximum' in schema ? [[section, key, schema.maximum as number] as const] : [],
    ),
  );
  test.each(greatest)(
    'may have a %s of so great %s that a manifest states it: %i',
    (section, key, value) => {
      const config = trainingConfig({ [section]: { [key]: value } });
      expect(() => trainingConfig({ [section]: { [key]: value + 1 } })).toThrow(
        `/${section}/${key}`,
      );
      const fields = manifestFields();
      const architecture = {
        representation: { ...config.representation, embeddingDimension: 4 },
        deidentifier: { ...config.deidentifier, inputDimension: 2, labels: 3 },
      };
      const stated = parseManifestFields({ ...fields, kind: 'pipeline', architecture });
      expect(stated.architecture[section]).toHaveProperty(key, value);
    },
  );

  test('of a run that ignored what does not go together is what it recorded', () => {
    const augmentation = { ...TRAINING_DEFAULTS.augmentation, drawn: 10 };
    expect(recordedConfig({ augmentation }, 'config.json')).toEqual({
      ...TRAINING_DEFAULTS,
      augmentation,
    });
  });
});
