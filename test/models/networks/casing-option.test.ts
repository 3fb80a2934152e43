import { beforeAll, describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';

const E = 2;
const DEIDENTIFIER = {
  ...DEIDENTIFIER_DEFAULTS,
  inputDimension: E,
  labels: 3,
  units: 3,
  layers: 1,
};
const REPRESENTATION = { ...REPRESENTATION_DEFAULTS, embeddingDimension: E, units: 3 };

const vocabulary = new Vocabulary(embeddingsFromRows(['ana', 'vive'], Float32Array.of(1, 2, 3, 4)));
const idsOf = (...words: string[]) => Int32Array.from(words, (word) => vocabulary.idOf(word));
const LOWER = idsOf('ana', 'vive', 'nadie');
const UPPER = idsOf('ANA', 'Vive', 'NADIE');
const LENGTHS = Int32Array.of(3);

beforeAll(() => useBackend());

const emissions = (deidentifier: Deidentifier, ids: Int32Array) =>
  deidentifier.emissions(deidentifier.embed(vocabulary, ids, 3), LENGTHS).dataSync<'float32'>();

const means = (representation: Representation, ids: Int32Array) =>
  representation.mean(representation.embed(vocabulary, ids, 3), LENGTHS).dataSync<'float32'>();

describe('a de-identifier on text', () => {
  test('reads the casing of tokens by default', () => {
    const deidentifier = Deidentifier.create(DEIDENTIFIER, new Random(1));
    expect(emissions(deidentifier, LOWER)).not.toEqual(emissions(deidentifier, UPPER));
  });

  test('without casing does not tell one from another, and is loaded as such', () => {
    const config = { ...DEIDENTIFIER, casing: false };
    const deidentifier = Deidentifier.create(config, new Random(1));
    expect(emissions(deidentifier, LOWER)).toEqual(emissions(deidentifier, UPPER));
    const weights = deidentifier.parameters.toArrays();
    const loaded = Deidentifier.fromWeights(config, weights);
    expect(emissions(loaded, LOWER)).toEqual(emissions(deidentifier, LOWER));
    expect(() => Deidentifier.fromWeights(DEIDENTIFIER, weights)).toThrow(/bilstm-0/);
  });
});

describe('a representation', () => {
  test('sees casing as one of seven inputs beside the word vector, of words without one, too', () => {
    const representation = Representation.create(REPRESENTATION, new Random(1));
    expect(representation.inputDimension).toBe(E + 7);
    const inputs = representation.embed(vocabulary, Int32Array.of(...UPPER, -1), 4);
    const rows = Array.from({ length: 4 }, (_, t) =>
      inputs.slice([0, t, E], [1, 1, 7]).dataSync<'float32'>().indexOf(1),
    );
    expect(rows).toEqual([3, 4, 3, -1]);
    expect(means(representation, LOWER)).not.toEqual(means(representation, UPPER));
  });

  test('of a bundle that does not name casing sees none', () => {
    const { casing: _, ...config } = REPRESENTATION;
    const representation = Representation.create(config, new Random(1));
    expect(representation.inputDimension).toBe(E);
    expect(means(representation, LOWER)).toEqual(means(representation, UPPER));
  });
});
