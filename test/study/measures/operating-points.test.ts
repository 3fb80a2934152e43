import { beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { operatingPoints } from '../../../study/measures/operating-points.js';

const WORDS = ['ana', 'saw', 'berta', 'today'];
const DIMENSION = 3;
const scheme = loadLabelScheme('phi-binary');

beforeAll(() => useBackend());

test('recall on a few documents, of which there is no interval, may be anything', async () => {
  const embeddings = embeddingsFromRows(WORDS, new Random(1).normals(WORDS.length * DIMENSION));
  const { deidentifier: sizes } = trainingConfig({ deidentifier: { units: 4, layers: 1 } });
  const labels = scheme.labels.length;
  const config = { ...sizes, inputDimension: DIMENSION, labels, casing: false };
  const deidentifier = Deidentifier.create(config, new Random(1));
  const tagger = { deidentifier, vocabulary: new Vocabulary(embeddings), scheme };
  const spans = [{ type: 'PHI', start: 0, end: 3 }];
  const note = (id: string) => ({ id, text: WORDS.join(' '), spans });
  const intervalsOf = async (ids: string[]) => {
    const { points } = await operatingPoints(tagger, ids.map(note), [0.01], {});
    return points.map((point) => point?.recall);
  };
  try {
    const ids = Array.from({ length: 10 }, (_, i) => `${i}`);
    expect(await intervalsOf(ids.slice(1))).toEqual([{ value: 1, interval: [0, 1] }]);
    expect(await intervalsOf(ids)).toEqual([{ value: 1, interval: [1, 1] }]);
  } finally {
    deidentifier.dispose();
  }
});
