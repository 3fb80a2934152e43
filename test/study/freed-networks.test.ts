import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../models/embeddings/embeddings.js';
import { generateNotes } from '../../models/synthetic/generate-notes.js';
import { useBackend } from '../../models/tensor/backend.js';
import { Random } from '../../models/tensor/random.js';
import * as tf from '../../models/tensor/tf.js';
import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { trainingConfig } from '../../models/training/configuration/config.js';
import { prepareNotes } from '../../models/training/recipes.js';
import { fixedNoise } from '../../study/controls/fixed-noise.js';
import { LearnedOnce } from '../../study/runs/learned-once.js';
import { measureArm } from '../../study/sharing/inventory-arms.js';
import { measureRow } from '../../study/sharing/matrix.js';
import { learnTogether } from '../../study/sharing/trained-together.js';
import { measureWay } from '../../study/sharing/ways.js';

const documents = [...generateNotes({ seed: 3, documents: 18 })];
const words = [...new Set(documents.flatMap(({ text }) => text.split(/\W+/)))];
const embeddings = embeddingsFromRows(words, new Random(1).normals(4 * words.length));
const scheme = loadLabelScheme('synthetic');
const config = trainingConfig({
  deidentifier: { units: 3, layers: 1 },
  supervised: { maxEpochs: 1, patience: 1 },
});
const material = {
  ...{ documents: documents.slice(12), heldOut: documents.slice(9, 12), scheme, embeddings },
  ...{ embeddingsName: 'toy', corpusName: 'toy' },
};
const site = (name: string, from: number, to: number) => {
  return { name, documents: documents.slice(from, to) };
};
const places = {
  ...{ sites: [site('north', 0, 5), site('south', 5, 10)], unseen: [site('west', 10, 12)] },
  ...{ heldOut: [], heldOutShare: 0.3, config },
};

let directory = '';
beforeAll(async () => {
  await useBackend();
  directory = mkdtempSync(`${tmpdir()}/tacet-freed-`);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Work that is broken off when the first network has learned. */
function brokenOff() {
  const controller = new AbortController();
  const progress = ({ finished }: { finished?: unknown }) => {
    if (finished) controller.abort(new Error('broken off'));
  };
  return { signal: controller.signal, progress };
}

async function everyOf(results: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of results);
}

test.each<[string, () => Promise<unknown>]>([
  [
    'a row of a matrix',
    () => measureRow({ way: 'text' }, material, { ...places, directory }, brokenOff()),
  ],
  [
    'an arm of inventories',
    () =>
      measureArm(
        'text',
        material,
        { ...places, institutions: places.sites, language: 'en' },
        brokenOff(),
      ),
  ],
  [
    'a way of sharing notes',
    () =>
      measureWay(
        'text',
        material,
        { institutions: [documents.slice(6, 9)], config, directory },
        brokenOff(),
      ),
  ],
  [
    'training together',
    () =>
      learnTogether(
        'averaging',
        material,
        {
          ...{ ...places, directory, rounds: 1, neighbours: 2, privateRate: 0.003 },
          ...{ guarantee: { epsilon: 8, delta: 1e-5 }, copies: { provider: 1, sites: 1 } },
          networks: new LearnedOnce(),
        },
        { signal: AbortSignal.abort(new Error('broken off')) },
      ),
  ],
  [
    'a step of fixed noise',
    async () => {
      const notes = await prepareNotes(material, config, { random: new Random(1) });
      const options = { factors: [1], words: 5, config };
      await everyOf(fixedNoise(notes, material, options, new Random(2), brokenOff()));
    },
  ],
])('%s broken off leaves no network in memory', async (_, work) => {
  const before = tf.memory().numTensors;
  await expect(work()).rejects.toThrow('broken off');
  expect(tf.memory().numTensors).toBe(before);
});
