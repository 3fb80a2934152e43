import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Representation } from '../../../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../../../models/networks/representation-config.js';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { prepareNotes } from '../../../models/training/recipes.js';
import { releasedScores } from '../../../study/measures/released-scores.js';
import type { Subject } from '../../../study/runs/subject.js';

const documents = [...generateNotes({ seed: 3, documents: 12 })];
const words = [...new Set(documents.flatMap(({ text }) => text.split(/\W+/)))];
const embeddings = embeddingsFromRows(words, new Random(1).normals(4 * words.length));
const scheme = loadLabelScheme('synthetic');

let directory = '';
beforeAll(async () => {
  await useBackend();
  directory = mkdtempSync(`${tmpdir()}/tacet-released-`);
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a new de-identifier learns from as many copies as an epoch of the run had', async () => {
  const sizes = { embeddingDimension: 4, units: 3, dimension: 2 };
  const representation = Representation.create(
    { ...REPRESENTATION_DEFAULTS, ...sizes },
    new Random(2),
  );
  const sentencesOf = async (drawn: number) => {
    const config = trainingConfig({
      deidentifier: { units: 3, layers: 1 },
      supervised: { maxEpochs: 1, patience: 1 },
      augmentation: { replaced: 1, drawn },
    });
    const toPrepare = { documents: documents.slice(2), scheme, embeddings, corpusName: 'toy' };
    const notes = await prepareNotes(toPrepare, config, { random: new Random(1) });
    const heldOut = documents.slice(0, 2);
    const subject = { notes, scheme, heldOut, representation, run: { config } };
    const at = `${directory}/${drawn}`;
    return (await releasedScores(subject as unknown as Subject, at, {})).sentences;
  };
  expect(await sentencesOf(4)).toBe(await sentencesOf(0));
  representation.dispose();
});
