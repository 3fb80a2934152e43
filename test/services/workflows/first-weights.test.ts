import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { weightsDigest } from '../../../proto/federation-update.js';
import { firstWeights } from '../../../services/workflows/federation/first-weights.js';
import { smallCorpus } from '../cli/small-corpus.js';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  await useBackend('native');
  folder = await smallCorpus('tacet-first-weights-', 6);
});
afterAll(async () => {
  await useBackend('cpu');
  await rm(folder, { recursive: true });
});

const begin = (publicEpochs: number, publicNotes?: string, seed = 1) =>
  firstWeights(
    {
      ...{ procedure: 'averaging', network: 'neuroner', seed, publicNotes, publicEpochs },
      ...{ embeddings: at('words.vec'), scheme: 'synthetic' },
    },
    { signal: AbortSignal.timeout(60_000), progress: () => undefined },
  );

test('a federation begins with the weights of its seed, or with what public notes taught them', async () => {
  const drawn = await begin(2);
  expect((await begin(5)).weights).toEqual(drawn.weights);
  expect((await begin(2, undefined, 2)).weights).not.toEqual(drawn.weights);
  const taught = await begin(2, at('notes'));
  expect(taught.stated).toEqual({
    ...drawn.stated,
    ...{ publicNotes: { documents: 6, epochs: 2 }, firstWeights: weightsDigest(taught.weights) },
  });
  expect(drawn.stated).not.toHaveProperty('publicNotes');
  expect(taught.weights).toHaveLength(drawn.weights.length);
  expect(taught.weights).not.toEqual(drawn.weights);
  expect((await begin(2, at('notes'))).weights).toEqual(taught.weights);
  expect((await begin(1, at('notes'))).weights).not.toEqual(taught.weights);
});
