import { expect, test } from '@jest/globals';
import { representationOnnx } from '../../../models/bundle/onnx.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Representation, representationWeights } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { CODES_A_WORD } from '../../../models/text/character-codes.js';
import { randomWeights } from './manifest-fields.js';
import { runOnnx } from './onnx-session.js';

const [E, D, T] = [2, 3, 4];
const SENTENCES = [
  ['ana', 'vive', 'extraordinariamenteinhabitual', 'Nadie'],
  ['а', 'vive', '', ''],
];

test.each(['cnn', 'bilstm'] as const)(
  'representation.onnx reads characters by a %s as f does, to 1e-4',
  async (characters) => {
    await useBackend();
    const config = {
      ...{ embeddingDimension: E, units: 4, dimension: D, characters },
      ...{ characterDimension: 5, characterUnits: 3, casing: true },
      ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
    };
    const weights = randomWeights(representationWeights(config), 3);
    const representation = Representation.fromWeights(config, weights);
    const vocabulary = new Vocabulary(
      embeddingsFromRows(['ana', 'vive'], Float32Array.of(1, 2, 3, 4)),
      { characters: true },
    );
    const ids = Int32Array.from(SENTENCES.flat(), (word) =>
      word === '' ? -1 : vocabulary.idOf(word),
    );
    const lengths = Int32Array.of(4, 2);
    const x = representation.embed(vocabulary, ids, T);
    const codes = Array.from(ids, (id) =>
      id < 0
        ? new Array<number>(CODES_A_WORD).fill(0)
        : [...vocabulary.codes().subarray(id * CODES_A_WORD, (id + 1) * CODES_A_WORD)],
    );
    const B = SENTENCES.length;
    const zeros = (width: number) => ({
      type: 'float32' as const,
      dims: [B, T, width],
      data: new Array<number>(B * T * width).fill(0),
    });
    const found = runOnnx(representationOnnx(weights), {
      embeddings: {
        type: 'float32',
        dims: [B, T, E + 7],
        data: [...x.slice([0, 0, 0], [B, T, E + 7]).dataSync()],
      },
      characters: { type: 'int64', dims: [B, T, CODES_A_WORD], data: codes.flat() },
      lengths: { type: 'int32', dims: [B], data: [...lengths] },
      input_normals: zeros(representation.inputDimension),
      output_normals: zeros(D),
    });
    const expected = representation.mean(x, lengths).dataSync();
    lengths.forEach((length, row) => {
      for (let i = row * T * D; i < (row * T + length) * D; i++)
        expect(Math.abs((found.data[i] as number) - (expected[i] as number))).toBeLessThan(1e-4);
    });
  },
);
