import { describe, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { examplesOfEpoch } from '../../../models/training/data/turns.js';
import { type PreparedNotes, prepareNotes } from '../../../models/training/recipes.js';

const documents = [...generateNotes({ seed: 3, documents: 30 })];
const notes = {
  documents,
  scheme: loadLabelScheme('synthetic'),
  // A vector each, so that another word is another id.
  embeddings: embeddingsFromRows(
    [...new Set(documents.flatMap(({ text }) => text.split(/\W+/)))],
    new Random(1).normals(new Set(documents.flatMap(({ text }) => text.split(/\W+/))).size),
  ),
  corpusName: 'invented',
};

const prepared = (replaced: number, seed = 1, drawn = 0) =>
  prepareNotes(notes, trainingConfig({ augmentation: { replaced, drawn } }), {
    random: new Random(seed),
  });

const phiOf = ({ train, vocabulary }: PreparedNotes) =>
  train.flatMap(({ ids, labels }) =>
    [...ids].filter((_, t) => (labels[t] as number) > 0).map((id) => vocabulary.key(id)),
  );

describe('copies whose entities are replaced', () => {
  test('stand beside the notes for training, and validation stays as it is', async () => {
    const [plain, copied] = [await prepared(0), await prepared(2)];
    expect(copied.documents).toEqual(plain.documents);
    expect(copied.validation.map(({ labels }) => [...labels])).toEqual(
      plain.validation.map(({ labels }) => [...labels]),
    );
    const own = copied.train.slice(0, plain.train.length);
    expect(own.map(({ labels }) => [...labels])).toEqual(
      plain.train.map(({ labels }) => [...labels]),
    );
    const of = new Set(copied.train.map(({ documentIndex }) => documentIndex));
    expect(of.size).toBe(3 * plain.documents.train);
  });

  test('hold other entities than the notes, the same for a seed', async () => {
    const copied = await prepared(1);
    const own = (await prepared(0)).train.length;
    const [before, after] = [copied.train.slice(0, own), copied.train.slice(own)].map((train) =>
      phiOf({ ...copied, train }).join(' '),
    );
    expect(after).not.toBe(before);
    expect(phiOf(await prepared(1))).toEqual(phiOf(copied));
    expect(phiOf(await prepared(1, 2))).not.toEqual(phiOf(copied));
  });

  test('take turns where more are drawn than an epoch has, the notes being in every epoch', async () => {
    const copied = await prepared(2, 1, 5);
    const { train, documents } = copied;
    const copyOf = ({ documentIndex }: { documentIndex: number }) =>
      Math.floor(documentIndex / documents.train);
    const epochs = [1, 2, 3].map((epoch) =>
      [...new Set(examplesOfEpoch(copied, epoch).map(copyOf))].sort(),
    );
    expect(epochs).toEqual([
      [0, 1, 2],
      [0, 3, 4],
      [0, 1, 5],
    ]);
    expect(new Set(train.map(copyOf))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    const [first] = (await prepared(2)).train.slice(-1);
    expect(examplesOfEpoch(copied, 1).at(-1)?.labels).toEqual(first?.labels);
  });

  test('are all there in every epoch where no more are drawn', async () => {
    const copied = await prepared(2, 1, 2);
    expect(examplesOfEpoch(copied, 7)).toBe(copied.train);
  });
});
