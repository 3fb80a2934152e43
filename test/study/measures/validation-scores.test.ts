import { expect, test } from '@jest/globals';
import { LIMIT_OF_PAIRS, VALIDATION_NOTES } from '../../../models/bundle/stated-scores.js';
import type { DigitMoves } from '../../../models/embeddings/digit-moves.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { Representation } from '../../../models/networks/representation.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { textExamples } from '../../../models/training/data/examples.js';
import { validationScores } from '../../../study/measures/validation-scores.js';

const scheme = loadLabelScheme('phi-binary');
const DIMENSION = 3;
/** One number has a twin with the very same vector, and others that lie elsewhere. */
const VECTORS = [
  ['12', [1, 0, 0]],
  ['13', [1, 0, 0]],
  ['501', [0, 5, 0]],
  ['777', [0, 0, -5]],
  ['fever', [0, 1, 1]],
] as const;

async function limit(digitMoves: DigitMoves): Promise<number> {
  const embeddings = embeddingsFromRows(
    VECTORS.map(([word]) => word),
    Float32Array.from(VECTORS.flatMap(([, vector]) => vector)),
  );
  const vocabulary = new Vocabulary(embeddings);
  const documents = Array.from({ length: 12 }, (_, i) => ({
    ...{ id: `${i}`, text: 'fever 12' },
    spans: [{ type: scheme.types[0] as string, start: 6, end: 8 }],
  }));
  const examples = textExamples(documents, scheme, vocabulary);
  const notes = {
    ...{ vocabulary, train: examples, validation: examples, validationDocuments: documents },
    ...{ documents: { train: 12, validation: 12 }, trainDocuments: documents },
  };
  const sizes = { units: 4, dimension: DIMENSION, casing: true };
  const stddevs = { initialInputStddev: 0.01, initialOutputStddev: 0.1 };
  const random = new Random(1);
  const representation = Representation.create(
    { ...sizes, ...stddevs, embeddingDimension: DIMENSION },
    random,
  );
  const config = trainingConfig({
    neighbours: 2,
    digitMoves,
    deidentifier: { units: 4, layers: 1 },
  });
  const labels = scheme.labels.length;
  const deidentifier = Deidentifier.create(
    { ...config.deidentifier, inputDimension: DIMENSION, labels, casing: false },
    random,
  );
  const scores = await validationScores(
    { representation, deidentifier },
    { notes, scheme, config },
    {},
  );
  return scores[`${LIMIT_OF_PAIRS}, ${VALIDATION_NOTES}`] as number;
}

test('the limit that a manifest states lets numbers move as the training let them', async () => {
  expect(await limit('neighbours')).toBeCloseTo(0.5, 6);
  expect(await limit('any')).toBeGreaterThan(0.51);
});
