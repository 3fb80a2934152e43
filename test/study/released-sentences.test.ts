import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Representation } from '../../models/networks/representation.js';
import { Random } from '../../models/tensor/random.js';
import { releaseOnce } from '../../study/released-sentences.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../models/training/toy-notes.js';

const vocabulary = toyVocabulary();
const examples = toyExamples(vocabulary, 20, 3);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-released-'));
});
afterEach(() => rm(folder, { recursive: true }));

const representation = () =>
  Representation.create(
    {
      ...{ embeddingDimension: DIMENSION, units: 4, dimension: 3 },
      ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
    },
    new Random(1),
  );

const release = (file: string) =>
  releaseOnce(path.join(folder, file), examples, representation(), vocabulary, {});

describe('sentences that are encoded once', () => {
  test('come back the same after an interruption, though nothing seeds their noise', async () => {
    const first = await release('a');
    expect(await release('a')).toEqual(first);
    expect(await release('b')).not.toEqual(first);
  });

  test('have the vectors and labels of their own sentence', async () => {
    for (const [i, { vectors, labels }] of (await release('a')).entries()) {
      expect(vectors).toHaveLength(examples[i].ids.length * 3);
      expect(labels).toEqual(examples[i].labels);
      const norms = Array.from({ length: labels.length }, (_, t) =>
        Math.hypot(...vectors.subarray(3 * t, 3 * t + 3)),
      );
      for (const norm of norms) expect(Math.abs(norm - 1)).toBeLessThan(1);
    }
  });

  test('are refused where the file holds others', async () => {
    await release('a');
    const bytes = await readFile(path.join(folder, 'a'));
    await writeFile(path.join(folder, 'a'), bytes.subarray(0, -2));
    await expect(release('a')).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });
});
