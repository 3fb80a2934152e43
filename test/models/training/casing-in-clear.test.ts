import { beforeAll, describe, expect, test } from '@jest/globals';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { CASINGS } from '../../../models/text/casing.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { namedConfiguration } from '../../../models/training/configuration/configurations.js';
import { createNetworks, trainThreePhase } from '../../../models/training/three-phase.js';
import { TOY_CONFIG, toyData } from './toy-training.js';

beforeAll(() => useBackend());

const IN_CLEAR = {
  ...TOY_CONFIG,
  deidentifier: { ...TOY_CONFIG.deidentifier, casingInClear: true },
};

describe('a de-identifier that has the casing beside what is released', () => {
  test('reads d numbers and one for each casing', async () => {
    const { deidentifier } = createNetworks(await toyData(), IN_CLEAR, new Random(1));
    const kernel = deidentifier.parameters.toArrays()['bilstm-0/forward/kernel'];
    expect(kernel?.shape[0]).toBe(TOY_CONFIG.representation.dimension + CASINGS.length);
  });

  test('tells sentences apart that differ in casing alone, and no other one does', async () => {
    const data = await toyData();
    const upper = data.vocabulary.idOf('BERTA');
    const lower = data.vocabulary.idOf('berta');
    const releases = tf.ones([1, 1, TOY_CONFIG.representation.dimension]) as tf.Tensor3D;
    const emissionsOf = (deidentifier: Deidentifier, id: number) => {
      const inputs = deidentifier.beside(releases, data.vocabulary, Int32Array.of(id));
      return [...deidentifier.emissions(inputs, Int32Array.of(1)).dataSync()];
    };
    const { deidentifier: seeing } = createNetworks(data, IN_CLEAR, new Random(1));
    const { deidentifier: blind } = createNetworks(data, TOY_CONFIG, new Random(1));
    expect(emissionsOf(seeing, upper)).not.toEqual(emissionsOf(seeing, lower));
    expect(emissionsOf(blind, upper)).toEqual(emissionsOf(blind, lower));
  });
});

test.each(['friedrich-2019', 'friedrich-2019-code'])(
  '%s trains in three phases, at a size for a test',
  async (name) => {
    const { kind, ...given } = namedConfiguration(name) ?? { kind: '' };
    expect(kind).toBe('adversarial');
    const { representation, ...config } = trainingConfig(given);
    const brief = { maxEpochs: 1, patience: 1 };
    const small = {
      ...config,
      representation: { ...representation, units: 4, dimension: 8 },
      deidentifier: { ...config.deidentifier, units: 6, layers: 1 },
      adversary: { units: 4 },
      ...{ P1: brief, P2: brief, P3: { ...config.P3, ...brief } },
    };
    const context = { random: new Random(1) };
    const { stages, ...networks } = await trainThreePhase(await toyData(), small, context);
    expect(Object.keys(stages)).toEqual(['P1', 'P2', 'P3']);
    const { weights = {}, config: trained } = {
      weights: networks.deidentifier.parameters.toArrays(),
      config: networks.deidentifier.config,
    };
    expect(Deidentifier.fromWeights(trained, weights).config.casingInClear).toBe(true);
  },
);
