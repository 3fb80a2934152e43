import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeBundle } from '../../../models/bundle/describe.js';
import { parseManifestFields } from '../../../models/bundle/manifest.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';

beforeAll(() => useBackend());

const SIZES = { units: 4, dimension: 3 };
const publication = {
  ...{ name: 'tiny', version: '1.0.0', scheme: loadLabelScheme('phi-binary') },
  ...{ embeddings: embeddingsFromRows(['ana', 'eva'], Float32Array.of(1, 0, 0, 1)) },
  ...{ embeddingsName: 'tiny', scores: {} },
  training: { objective: 'certified', corpus: 'tiny', documents: 2, seed: 1 },
};

function described(representation: object, deidentifier: object = {}) {
  const config = trainingConfig({
    representation: { ...SIZES, ...representation },
    deidentifier: { units: 4, layers: 1, ...deidentifier },
  });
  const random = new Random(1);
  const networks = {
    representation: Representation.create(
      { ...config.representation, embeddingDimension: 2 },
      random,
    ),
    deidentifier: Deidentifier.create(
      { ...config.deidentifier, inputDimension: SIZES.dimension, labels: 3, casing: false },
      random,
    ),
  };
  return describeBundle(networks, publication).fields;
}

describe('what a bundle says of a model', () => {
  test('is the same whether settings that all published models have are stated or left out', () => {
    const stated = described(
      { noise: 'constant', form: 'unit-length', unitInputs: false },
      { casingInClear: false },
    );
    expect(stated).toEqual(described({}));
    expect(parseManifestFields(stated)).toEqual(stated);
  });

  test('cannot be that word vectors are scaled first', () => {
    expect(() => described({ unitInputs: true })).toThrow(
      expect.objectContaining({
        code: 'not-certified',
        message: expect.stringContaining('representation.unitInputs false'),
      }),
    );
  });
});
