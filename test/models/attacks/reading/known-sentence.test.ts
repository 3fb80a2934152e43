import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { contentWords } from '../../../../models/attacks/reading/content-words.js';
import { readKnownSentence } from '../../../../models/attacks/reading/known-sentence.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { toyVocabulary } from '../../training/toy-notes.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const attack = readKnownSentence({ trials: 100, words: 6, draws: 2 });

async function attacked(options: ToyOptions) {
  const target = await toyTarget(options);
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const [vectors, alone] = await conduct(attack, target, context);
  return { vectors, alone };
}

describe('reading an unknown word of a known sentence', () => {
  test('always succeeds where vectors hide nothing', async () => {
    const { vectors, alone } = await attacked({ view: rawEmbeddings });
    expect(vectors.success.value).toBe(1);
    expect(vectors.chance).toBe(alone.success.value);
    expect(vectors.gain.interval[0]).toBeGreaterThan(0.5);
  });

  test('is no better than the language model where vectors hold nothing', async () => {
    const { vectors } = await attacked({ view: pureNoise });
    expect(beatsChance(vectors, { comparisons: 1 })).toBe(false);
    expect(vectors.gain.interval[0]).toBeLessThanOrEqual(0);
    expect(vectors.gain.interval[1]).toBeGreaterThanOrEqual(0);
  });

  test('gives the same report for the same seed', async () => {
    expect(await attacked({})).toEqual(await attacked({}));
  });

  test('says what share of the words it tries', async () => {
    const { vectors } = await attacked({});
    expect(vectors.settings).toMatchObject({ words: 6 });
    expect(vectors.settings.coverage).toBeGreaterThan(0.6);
    expect(vectors.settings.coverage).toBeLessThan(0.9);
  });

  test('is not tried where no sentence has a word to read', async () => {
    const target = await toyTarget();
    const names = target.test.map((example) => ({
      ...example,
      labels: example.labels.map(() => 1),
    }));
    expect(attack.obstacle?.({ ...target, test: names })).toContain('reading a word');
  });
});

test('content words are neither PHI nor numbers, stop words or punctuation', async () => {
  const { vocabulary } = await toyTarget();
  const idsOf = (words: readonly string[]) =>
    Int32Array.from(words, (word) => vocabulary.idOf(word));
  const ids = idsOf(['fever', 'fever', 'pain', 'berta', 'the', '12', '.']);
  const example = {
    ids,
    labels: Uint8Array.of(0, 0, 0, 1, 0, 0, 0),
    documentIndex: 0,
  };
  expect(contentWords([example], vocabulary, 10)).toEqual([...idsOf(['fever', 'pain'])]);
});

test('content words are words without a vector, too, where a model tells them by their letters', () => {
  const contentOf = (characters: boolean) => {
    const vocabulary = new Vocabulary(toyVocabulary().embeddings, { characters });
    const ids = Int32Array.from(['fever', 'xyzuk', '1234'], (word) => vocabulary.idOf(word));
    const example = { ids, labels: new Uint8Array(ids.length), documentIndex: 0 };
    return contentWords([example], vocabulary, 10).map((id) => vocabulary.spelling(id));
  };
  expect(contentOf(true)).toEqual(['fever', 'xyzuk']);
  expect(contentOf(false)).toEqual(['fever']);
});
