import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Representation } from '../../../models/networks/representation.js';
import { Random } from '../../../models/tensor/random.js';
import type { TextExample } from '../../../models/training/data/examples.js';
import { releaseOnce } from '../../../study/measures/released-sentences.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../../models/training/toy-notes.js';

const vocabulary = toyVocabulary();
const examples = toyExamples(vocabulary, 20, 3);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-released-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Given {
  readonly examples: readonly TextExample[];
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
}

const representation = (seed = 1) =>
  Representation.create(
    {
      ...{ embeddingDimension: DIMENSION, units: 4, dimension: 3 },
      ...{ initialInputStddev: 0.1, initialOutputStddev: 0.1 },
    },
    new Random(seed),
  );

/** A vocabulary that has met the words of the examples, in their order. */
function relearned(other: Vocabulary): Vocabulary {
  for (let id = 0; id < vocabulary.size; id++) other.idOf(vocabulary.wordOf(id) as string);
  return other;
}

const release = (file: string, of: Partial<Given> = {}) => {
  const given = { examples, representation: representation(), vocabulary, ...of };
  return releaseOnce(
    path.join(folder, file),
    ...([given.examples, given.representation, given.vocabulary, {}] as const),
  );
};

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

  test('are not encoded once more where their file cannot be read', async () => {
    await mkdir(path.join(folder, 'a'));
    await expect(release('a')).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('are refused where the file holds others', async () => {
    await release('a');
    const bytes = await readFile(path.join(folder, 'a'));
    await writeFile(path.join(folder, 'a'), bytes.subarray(0, -2));
    await expect(release('a')).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  test.each<[string, () => Partial<Given>]>([
    [
      'as long ones of other words',
      () => ({
        examples: examples.map((each) => ({
          ...each,
          ids: each.ids.map((id) => (id + 1) % vocabulary.size),
        })),
      }),
    ],
    [
      'the same with other labels',
      () => ({
        examples: examples.map((each) => ({ ...each, labels: each.labels.map((id) => 2 - id) })),
      }),
    ],
    ['those of another representation', () => ({ representation: representation(2) })],
    ['those of other word vectors', () => ({ vocabulary: relearned(toyVocabulary(2)) })],
  ])('are not taken for %s', async (_, others) => {
    await release('a');
    await expect(release('a', others())).rejects.toMatchObject({ code: 'checkpoint-invalid' });
  });

  test('are known again where words were met in another order', async () => {
    const first = await release('a');
    const again = toyVocabulary();
    for (let id = vocabulary.size - 1; id >= 0; id--) again.idOf(vocabulary.wordOf(id) as string);
    const renumbered = examples.map((each) => ({
      ...each,
      ids: each.ids.map((id) => again.idOfSame(vocabulary, id)),
    }));
    expect(renumbered[0]?.ids).not.toEqual(examples[0].ids);
    expect(await release('a', { examples: renumbered, vocabulary: again })).toEqual(first);
  });
});
