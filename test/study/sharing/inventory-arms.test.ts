import { expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { measureArm } from '../../../study/sharing/inventory-arms.js';
import { nearCopies } from './near-copies.js';

const provider = {
  ...{ documents: [], scheme: loadLabelScheme('synthetic'), corpusName: 'toy' },
  ...{ embeddings: embeddingsFromRows(['by'], new Float32Array(2)), embeddingsName: 'toy' },
};

const config = trainingConfig({
  deidentifier: { units: 3, layers: 1 },
  supervised: { maxEpochs: 1, patience: 1 },
});

test.each(['text', 'forms', 'copies'] as const)(
  'notes that are nearly the same are parted in no arm: %s',
  async (arm) => {
    const options = {
      institutions: [{ name: 'north', documents: nearCopies(4), locales: ['en'] }],
      heldOut: [{ name: 'north', documents: [] }],
      ...{ heldOutShare: 0.2, unseen: [], language: 'en', config },
    };
    await expect(measureArm(arm, provider, options, {})).rejects.toThrow('4 documents of 1 origin');
  },
);
