import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { measureWay, piecesOfJobs, type TrainedOn, type Way } from '../../../study/sharing/ways.js';
import { nearCopies } from './near-copies.js';

const words = ['patient', 'seen', 'by', 'berta', 'carla', 'david', 'emil', 'on', 'monday'];
const embeddings = embeddingsFromRows(words, new Random(1).normals(4 * words.length));
const scheme = loadLabelScheme('synthetic');
const config = trainingConfig({
  deidentifier: { units: 3, layers: 1 },
  supervised: { maxEpochs: 1, patience: 1 },
  validationShare: 0.5,
});

/** Notes of one sentence that differ in a name alone. */
function alike(prefix: string, count: number): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const name = ['Berta', 'Carla', 'David', 'Emil'][i % 4] as string;
    const spans = [{ type: 'DOCTOR', start: 16, end: 16 + name.length }];
    return { id: `${prefix}-${i}`, text: `Patient seen by ${name}`, spans };
  });
}

let directory = '';
beforeAll(async () => {
  await useBackend();
  directory = mkdtempSync(`${tmpdir()}/tacet-ways-`);
});
afterAll(() => rmSync(directory, { recursive: true }));

const heldOut = alike('held', 2).map((each) => ({ ...each, text: `${each.text} on Monday` }));
const material = {
  ...{ documents: alike('ours', 8), heldOut, scheme, embeddings },
  ...{ embeddingsName: 'toy', corpusName: 'toy' },
};
const institutions = [alike('theirs', 8)];

test('sentences that are alike are counted over those that train and those that validate together', async () => {
  const keptOf = async (maxAlike: number | undefined) => {
    const options = { institutions, config, directory, maxAlike };
    return (await measureWay('replaced text', material, options, {})).sentences;
  };
  expect(await keptOf(undefined)).toBe(16);
  expect(await keptOf(10)).toBe(10);
});

test.each(['text', 'replaced text'] as const)(
  'notes that are nearly the same are parted by no way: %s',
  async (way) => {
    const options = { institutions: [nearCopies(4)], languages: ['en'], config, directory };
    const notes = { ...material, documents: [] };
    await expect(measureWay(way, notes, options, {})).rejects.toThrow('4 documents of 1 origin');
  },
);

test('sentences are cut into pieces where they are released, and there alone', async () => {
  const representation = Representation.create(
    { ...REPRESENTATION_DEFAULTS, embeddingDimension: 4, units: 3, dimension: 2 },
    new Random(2),
  );
  const options = { institutions, representation, config, directory, pieces: 2 };
  const counts: number[] = [];
  for (const way of ['text', 'released'] as const)
    counts.push((await measureWay(way, material, options, {})).sentences);
  representation.dispose();
  expect(counts).toEqual([16, 32]);
});

test('what is released, and that alone, is cut until so many notes have the labels of each piece', async () => {
  const representation = Representation.create(
    { ...REPRESENTATION_DEFAULTS, embeddingDimension: 4, units: 3, dimension: 2 },
    new Random(2),
  );
  const learn = async (way: Way, labelDocuments: number) => {
    const options = { institutions, languages: ['en'], representation, config, directory };
    const notes = { ...material, documents: [] };
    const given = { ...options, copies: 2, labelDocuments };
    return (await measureWay(way, notes, given, {})).epochs;
  };
  expect(await learn('replaced text', 9)).toBe(1);
  expect(await learn('replaced and released', 8)).toBe(1);
  // Copies count as the one note that they are of: nothing has labels that 9 notes have.
  await expect(learn('replaced and released', 9)).rejects.toThrow('no note to train on');
  representation.dispose();
});

test('notes are counted by institution, and the provider has no part in it', () => {
  const notes: TrainedOn[] = [undefined, 0, 0, 1, 1].flatMap((job, i) =>
    alike(`note-${i}`, 1).map((of) => ({ of, document: of, ...(job !== undefined && { job }) })),
  );
  const common = [1, 0];
  // The second institution has no second note with these labels.
  const labels = [[1, 0, 1], common, common, common, [0, 0, 1]];
  const examples = labels.map((own, documentIndex) => ({
    ...{ documentIndex, ids: Int32Array.from(own), labels: Uint8Array.from(own) },
  }));
  const piecesOf = piecesOfJobs(examples, notes, 'released', 2);
  const isWhole = examples.map((example) => {
    const [first, ...others] = piecesOf(example);
    return first?.end === example.labels.length && first.start === 0 && others.length === 0;
  });
  expect(isWhole).toEqual([true, true, true, false, false]);
});
