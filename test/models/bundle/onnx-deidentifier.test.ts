import { expect, test } from '@jest/globals';
import { deidentifierOnnx } from '../../../models/bundle/onnx-deidentifier.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import type { CharacterEncoder } from '../../../models/networks/character-config.js';
import { Deidentifier, deidentifierWeights } from '../../../models/networks/deidentifier.js';
import {
  DEIDENTIFIER_DEFAULTS,
  type DeidentifierConfig,
  VECTORS_ALONE,
} from '../../../models/networks/deidentifier-config.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { CODES_A_WORD } from '../../../models/text/character-codes.js';
import { randomWeights } from './manifest-fields.js';
import { runOnnx } from './onnx-session.js';

const [D, L, B, T] = [5, 7, 3, 4];
const LENGTHS = [4, 1, 2];
const SIZES = { ...DEIDENTIFIER_DEFAULTS, inputDimension: D, labels: L, units: 3 };

/** Two heads, and distances that some of the sentences go beyond. */
const SEQUENCE_TO_SEQUENCE: Partial<DeidentifierConfig> = {
  ...{ network: 'sequence-to-sequence', units: 6, heads: 2, feedForward: 5, reach: 2 },
};

function expectClose(found: readonly number[], expected: ArrayLike<number>, steps: number): void {
  LENGTHS.forEach((length, row) => {
    for (let i = row * steps * L; i < (row * steps + length) * L; i++)
      expect(Math.abs((found[i] as number) - (expected[i] as number))).toBeLessThan(1e-4);
  });
}

test.each<[number, Partial<DeidentifierConfig>]>([
  [1, {}],
  [2, {}],
  [3, {}],
  [1, SEQUENCE_TO_SEQUENCE],
  [2, SEQUENCE_TO_SEQUENCE],
])(
  'deidentifier.onnx on releases, with %i layers %j, gives the emissions of our forward pass to 1e-4',
  async (layers, network) => {
    await useBackend();
    const config = { ...SIZES, ...VECTORS_ALONE, ...network, layers };
    const weights = randomWeights(deidentifierWeights(config), 4);
    const data = new Random(5).normals(B * T * D);
    const found = runOnnx(deidentifierOnnx(weights, 'representation'), {
      representation: { type: 'float32', dims: [B, T, D], data: [...data] },
      lengths: { type: 'int32', dims: [B], data: LENGTHS },
    });
    expect(found.dims).toEqual([B, T, L]);
    const emissions = Deidentifier.fromWeights(config, weights).emissions(
      tf.tensor3d(data, [B, T, D]),
      Int32Array.from(LENGTHS),
    );
    expectClose(found.data, emissions.dataSync(), T);
  },
);

test.each<CharacterEncoder>(['none', 'cnn', 'bilstm'])(
  'deidentifier.onnx on releases and words beside them, characters %s, gives the emissions of our forward pass to 1e-4',
  async (characters) => {
    await useBackend();
    const wordDimension = D + 1;
    const beside = { wordDimension, characters, characterDimension: 4, characterUnits: 3 };
    const config = { ...SIZES, layers: 2, ...beside };
    const weights = randomWeights(deidentifierWeights(config), 8);
    const deidentifier = Deidentifier.fromWeights(config, weights);
    const vocabulary = new Vocabulary(
      embeddingsFromRows(['ana', 'vive'], new Random(7).normals(2 * wordDimension)),
      { characters: characters !== 'none' },
    );
    const words = ['ana', '', '123', 'nadie', 'ANA', '', '', '', '', 'vive', '', ''];
    const ids = Int32Array.from(words, (word) => (word === '' ? -1 : vocabulary.idOf(word)));
    ids[3] = vocabulary.idOfTrained(1, 0);
    const releases = tf.tensor3d(new Random(9).normals(B * T * D), [B, T, D]);
    const x = deidentifier.beside(releases, vocabulary, ids);
    const codes = Array.from(ids, (id) =>
      id < 0
        ? new Array<number>(CODES_A_WORD).fill(0)
        : [...vocabulary.codes().subarray(id * CODES_A_WORD, (id + 1) * CODES_A_WORD)],
    );
    const found = runOnnx(deidentifierOnnx(weights, 'embeddings', D), {
      representation: { type: 'float32', dims: [B, T, D], data: [...releases.dataSync()] },
      embeddings: {
        type: 'float32',
        dims: [B, T, wordDimension + 7],
        data: [...x.slice([0, 0, D], [B, T, wordDimension + 7]).dataSync()],
      },
      ...(characters !== 'none' && {
        characters: { type: 'int64' as const, dims: [B, T, CODES_A_WORD], data: codes.flat() },
      }),
      lengths: { type: 'int32', dims: [B], data: LENGTHS },
    });
    const expected = deidentifier.emissions(x, Int32Array.from(LENGTHS)).dataSync();
    expectClose(found.data, expected, T);
  },
);

test.each<[CharacterEncoder, Partial<DeidentifierConfig>]>([
  ['none', {}],
  ['cnn', {}],
  ['bilstm', {}],
  ['cnn', SEQUENCE_TO_SEQUENCE],
])(
  'deidentifier.onnx on text, characters %s %j, gives the emissions of our forward pass to 1e-4',
  async (characters, network) => {
    await useBackend();
    const config = { ...SIZES, ...network, characters, characterDimension: 4, characterUnits: 3 };
    const weights = randomWeights(deidentifierWeights(config), 6);
    const deidentifier = Deidentifier.fromWeights(config, weights);
    const vocabulary = new Vocabulary(
      embeddingsFromRows(['ana', 'vive'], new Random(7).normals(2 * D)),
      { characters: characters !== 'none' },
    );
    const words = ['ana', 'Vive', '123', 'nadie', 'ANA', '', '', '', 'x', 'vive', '', ''];
    const ids = Int32Array.from(words, (word) => (word === '' ? -1 : vocabulary.idOf(word)));
    const x = deidentifier.embed(vocabulary, ids, T);
    const codes = Array.from(ids, (id) =>
      id < 0
        ? new Array<number>(CODES_A_WORD).fill(0)
        : [...vocabulary.codes().subarray(id * CODES_A_WORD, (id + 1) * CODES_A_WORD)],
    );
    const found = runOnnx(deidentifierOnnx(weights, 'embeddings'), {
      embeddings: {
        type: 'float32',
        dims: [B, T, D + 7],
        data: [...x.slice([0, 0, 0], [B, T, D + 7]).dataSync()],
      },
      ...(characters !== 'none' && {
        characters: { type: 'int64' as const, dims: [B, T, CODES_A_WORD], data: codes.flat() },
      }),
      lengths: { type: 'int32', dims: [B], data: LENGTHS },
    });
    const expected = deidentifier.emissions(x, Int32Array.from(LENGTHS)).dataSync();
    expectClose(found.data, expected, T);
  },
);
