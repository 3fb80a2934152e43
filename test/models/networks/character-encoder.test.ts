import { beforeAll, describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';

const E = 2;
const embeddings = embeddingsFromRows(['ana', 'vive'], Float32Array.of(1, 2, 3, 4));
const vocabulary = new Vocabulary(embeddings, { characters: true });
const idsOf = (...words: string[]) => Int32Array.from(words, (word) => vocabulary.idOf(word));

beforeAll(() => useBackend());

describe.each(['cnn', 'bilstm'] as const)('characters by a %s', (characters) => {
  const config = {
    ...REPRESENTATION_DEFAULTS,
    ...{ embeddingDimension: E, units: 3, characters, characterDimension: 4, characterUnits: 3 },
  };
  const representation = Representation.create(config, new Random(1));
  const charactersOf = (ids: Int32Array) =>
    representation.embed(vocabulary, ids, ids.length).slice([0, 0, E + 7]);

  test('are inputs beside word vector and casing, the same for a word wherever it stands', () => {
    expect(representation.inputDimension).toBe(E + 7 + 6);
    const [first, other, again, padding] = charactersOf(
      Int32Array.of(...idsOf('ana', 'vive', 'ana'), -1),
    ).arraySync()[0] as number[][];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(padding).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('tell words apart that have no vector, but not the casing of one', () => {
    const [a, b, shouted] = charactersOf(
      idsOf('xana', 'xano', 'XANA'),
    ).arraySync()[0] as number[][];
    expect(a).not.toEqual(b);
    expect(shouted).toEqual(a);
  });

  test('do not depend on the other words of a batch', () => {
    const alone = charactersOf(idsOf('ana')).dataSync();
    const beside = charactersOf(idsOf('extraordinariamente', 'ana')).slice([0, 1, 0]).dataSync();
    for (const [i, value] of beside.entries()) expect(value).toBeCloseTo(alone[i] as number, 5);
  });

  test('get a gradient through f', () => {
    const lengths = Int32Array.of(2);
    const { grads } = tf.variableGrads(() => {
      const x = representation.embed(vocabulary, idsOf('ana', 'nadie'), 2);
      return representation.mean(x, lengths).slice([0, 0, 0], [1, 2, 1]).sum();
    }, representation.parameters.variables());
    const names = Object.keys(representation.parameters.toArrays());
    const sizes = Object.values(grads).map((gradient) => gradient.abs().sum().dataSync()[0]);
    names.forEach((name, i) => {
      if (name.startsWith('characters/')) expect(sizes[i]).toBeGreaterThan(0);
    });
  });

  test('are of the weights that a bundle holds', () => {
    const loaded = Representation.fromWeights(config, representation.parameters.toArrays());
    const ids = idsOf('ana');
    expect(loaded.embed(vocabulary, ids, 1).dataSync()).toEqual(
      representation.embed(vocabulary, ids, 1).dataSync(),
    );
    const blind = { ...config, characters: 'none' as const };
    expect(() => Representation.fromWeights(blind, representation.parameters.toArrays())).toThrow(
      "weight 'noise/input' should be [9], found [15]",
    );
  });

  test('are inputs of a de-identifier on text', () => {
    const deidentifier = Deidentifier.create(
      { ...DEIDENTIFIER_DEFAULTS, ...{ inputDimension: E, labels: 3, units: 3, characters } },
      new Random(1),
    );
    const emissions = (word: string) =>
      deidentifier.emissions(deidentifier.embed(vocabulary, idsOf(word), 1), Int32Array.of(1));
    expect(emissions('xana').dataSync()).not.toEqual(emissions('xano').dataSync());
  });
});
