import { beforeAll, describe, expect, test } from '@jest/globals';
import { DEIDENTIFIER_DEFAULTS, Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';

const CONFIG = { ...DEIDENTIFIER_DEFAULTS, inputDimension: 4, labels: 3, units: 3, layers: 1 };

beforeAll(() => useBackend());

function emissions(deidentifier: Deidentifier, casing: number): Float32Array {
  const x = tf.tensor3d([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4]);
  return deidentifier
    .emissions(x, new Uint8Array(2).fill(casing), Int32Array.of(2))
    .dataSync<'float32'>();
}

describe('a de-identifier', () => {
  test('reads the casing of tokens by default', () => {
    const deidentifier = Deidentifier.create(CONFIG, new Random(1));
    expect(emissions(deidentifier, 2)).not.toEqual(emissions(deidentifier, 4));
  });

  test('without casing does not tell one from another, and is loaded as such', () => {
    const config = { ...CONFIG, casing: false };
    const deidentifier = Deidentifier.create(config, new Random(1));
    expect(emissions(deidentifier, 2)).toEqual(emissions(deidentifier, 4));
    const weights = deidentifier.parameters.toArrays();
    const loaded = Deidentifier.fromWeights(config, weights);
    expect(emissions(loaded, 2)).toEqual(emissions(deidentifier, 2));
    expect(() => Deidentifier.fromWeights(CONFIG, weights)).toThrow(/bilstm-0/);
  });
});
