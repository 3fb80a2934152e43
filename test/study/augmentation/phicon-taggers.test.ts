import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { holdsPhi } from '../../../models/augmentation/context.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { TRAINED_VECTORS } from '../../../models/embeddings/vocabulary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { createLabelScheme } from '../../../models/text/label-scheme.js';
import { phiconConfigs } from '../../../services/workflows/train/phicon-comparison.js';
import { neuronerTraining } from '../../../study/augmentation/phicon-taggers.js';

const WORDS = ['doctor', 'saw', 'ana', 'today', 'in', 'lima', 'never'];
const DIMENSION = 4;
const MATRIX = Float32Array.from(new Random(3).normals(WORDS.length * DIMENSION));
const scheme = createLabelScheme({ name: 'test', version: '1', types: ['NAME'], map: {} });

function note(id: string, text: string, name: string): Document {
  const start = text.indexOf(name);
  return { id, text, spans: [{ type: 'NAME', start, end: start + name.length }] };
}

const NOTES = {
  train: [note('a', 'doctor saw ana.\n\ntoday in lima.\n\nzu saw', 'ana')],
  augmented: [note('b', 'in today.\n\nana saw doctor.', 'ana')],
};
const SETTING = { embeddings: embeddingsFromRows(WORDS, MATRIX), scheme, keep: holdsPhi };

beforeEach(async () => void (await useBackend('native')));
afterEach(() => useBackend('cpu'));

describe("NeuroNER's training", () => {
  test('has a step for each sentence, of augmented ones for those with PHI', () => {
    const { network, training, sentences, augmented } = neuronerTraining(
      ...([NOTES, SETTING, new Random(1)] as const),
    );
    expect([sentences, augmented]).toEqual([3, 1]);
    expect(training.texts.map(({ tokens }) => tokens)).toEqual([4, 4, 2, 4]);
    network.dispose();
  });

  test('trains the vectors of the words that it reads, from where they are', async () => {
    const { network, training } = neuronerTraining(NOTES, SETTING, new Random(1));
    const vectors = () => Float32Array.from(network.parameters.matrix('trained').dataSync());
    const before = vectors();
    const words = before.length / DIMENSION - TRAINED_VECTORS;
    expect(words).toBe(WORDS.length - 1);
    const first = TRAINED_VECTORS * DIMENSION;
    expect(before.subarray(first, first + DIMENSION)).toEqual(MATRIX.subarray(0, DIMENSION));
    await training.epoch(new Random(2));
    const after = vectors();
    for (let word = 0; word < words; word++) {
      const row = [first + word * DIMENSION, first + (word + 1) * DIMENSION] as const;
      expect(after.subarray(...row)).not.toEqual(before.subarray(...row));
    }
    network.dispose();
  });

  test('goes on for 100 epochs with a patience of 10 where a configuration does not say how long', async () => {
    expect((await phiconConfigs(undefined)).neuroner.supervised).toEqual({
      ...{ maxEpochs: 100, patience: 10 },
    });
    const folder = await mkdtemp(path.join(tmpdir(), 'tacet-phicon-'));
    const file = path.join(folder, 'config.json');
    await writeFile(file, JSON.stringify({ supervised: { maxEpochs: 3 } }));
    const { neuroner, ours } = await phiconConfigs(file);
    await rm(folder, { recursive: true });
    expect([neuroner.supervised, ours.supervised]).toEqual([
      { maxEpochs: 3, patience: 10 },
      { maxEpochs: 3, patience: 5 },
    ]);
  });
});
