import { beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { prepareNotes } from '../../../models/training/recipes.js';
import { fixedNoise } from '../../../study/controls/fixed-noise.js';

const documents = [...generateNotes({ seed: 3, documents: 12 })];
const words = [...new Set(documents.flatMap(({ text }) => text.split(/\W+/)))];
const embeddings = embeddingsFromRows(words, new Random(1).normals(4 * words.length));
const material = {
  ...{ documents: documents.slice(2), heldOut: documents.slice(0, 2), embeddings },
  ...{ scheme: loadLabelScheme('synthetic'), corpusName: 'toy' },
};

beforeAll(() => useBackend());

test('a de-identifier learns from as many noisy copies as an epoch of a training has', async () => {
  const tokensOf = async (drawn: number) => {
    const config = trainingConfig({
      deidentifier: { units: 3, layers: 1 },
      supervised: { maxEpochs: 1, patience: 1 },
      augmentation: { replaced: 1, drawn },
    });
    const notes = await prepareNotes(material, config, { random: new Random(1) });
    const options = { factors: [1], words: 5, config };
    const tokens: (number | undefined)[] = [];
    const progress = (event: { step: string; finished?: unknown; done: number }) => {
      if (event.finished) tokens.push(event.done);
    };
    for await (const _ of fixedNoise(notes, material, options, new Random(2), { progress }));
    return tokens;
  };
  const [first] = await tokensOf(0);
  expect(first).toBeGreaterThan(0);
  expect(await tokensOf(4)).toEqual([first]);
});
