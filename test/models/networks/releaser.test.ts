import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Releaser } from '../../../models/networks/releaser.js';
import { Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { decodeElements, ELEMENT_BYTES } from '../../../proto/element.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../training/toy-notes.js';

const UNITS = 64;
const OUTPUTS = 20;
const elementType = 'float16';

let releaser: Releaser | undefined;

beforeAll(() => useBackend());
afterEach(() => releaser?.close());

function representationOf(stddev: number): Representation {
  const config = {
    embeddingDimension: DIMENSION,
    units: UNITS,
    dimension: OUTPUTS,
    initialInputStddev: stddev,
    initialOutputStddev: stddev,
  };
  return Representation.create(config, new Random(1));
}

function sentencesOf(vocabulary: Vocabulary, count: number): Int32Array[] {
  const unknown = vocabulary.idOf('quux');
  const sentences = toyExamples(vocabulary, count, 1).map(({ ids }) => ids);
  return [...sentences, Int32Array.of(unknown, sentences[0]?.[0] as number)];
}

describe('a releaser', () => {
  test('lets the event loop go on while it computes a release', async () => {
    const vocabulary = toyVocabulary();
    releaser = new Releaser(representationOf(0.1), { elementType });
    await releaser.release(vocabulary, sentencesOf(vocabulary, 1)); // starts the thread
    let done = false;
    const releases = releaser.release(vocabulary, sentencesOf(vocabulary, 4000)).finally(() => {
      done = true;
    });
    let turns = 0;
    while (!done) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (!done) turns++;
    }
    expect(turns).toBeGreaterThan(0);
    const tokens = sentencesOf(vocabulary, 4000).reduce((sum, { length }) => sum + length, 0);
    expect(await releases).toHaveLength(tokens * OUTPUTS * ELEMENT_BYTES[elementType]);
  });

  test.each([
    [1, 20],
    [3, 900],
  ])('on %i threads gives each of %i sentences its means but for the noise', async (threads, n) => {
    const vocabulary = toyVocabulary();
    const representation = representationOf(0.0101);
    releaser = new Releaser(representation, { elementType, threads });
    const sentences = sentencesOf(vocabulary, n);
    const releases = decodeElements(await releaser.release(vocabulary, sentences), elementType);
    let at = 0;
    for (const ids of sentences) {
      const mean = tf.tidy(() => {
        const x = representation.embed(vocabulary, ids, ids.length);
        return representation.mean(x, Int32Array.of(ids.length)).dataSync<'float32'>().slice();
      });
      const release = releases.subarray(at, at + mean.length);
      at += mean.length;
      expect(release).toHaveLength(mean.length);
      const squares = release.reduce((sum, r, j) => sum + (r - (mean[j] as number)) ** 2, 0);
      expect(Math.sqrt(squares / mean.length)).toBeLessThan(0.05);
      expect(release).not.toEqual(mean);
    }
  });

  test('gives other releases in memory that it took back', async () => {
    const vocabulary = toyVocabulary();
    releaser = new Releaser(representationOf(0.1), { elementType });
    const sentences = sentencesOf(vocabulary, 20);
    const first = await releaser.release(vocabulary, sentences);
    const copy = first.slice();
    releaser.recycle(first);
    const second = await releaser.release(vocabulary, sentences);
    expect(second.buffer).toBe(first.buffer);
    expect(second).toHaveLength(copy.length);
    expect(second).not.toEqual(copy);
    expect((await releaser.release(vocabulary, sentences)).buffer).not.toBe(first.buffer);
  });

  test('stops where it is aborted', async () => {
    const vocabulary = toyVocabulary();
    releaser = new Releaser(representationOf(0.1), { elementType });
    const controller = new AbortController();
    const { signal } = controller;
    const releases = releaser.release(vocabulary, sentencesOf(vocabulary, 4000), { signal });
    controller.abort(new Error('stopped'));
    await expect(releases).rejects.toThrow('stopped');
  });
});
