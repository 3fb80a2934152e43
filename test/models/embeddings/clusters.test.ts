import { beforeAll, describe, expect, test } from '@jest/globals';
import { WordClusters } from '../../../models/embeddings/clusters.js';
import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';

const DIMENSION = 6;
const GROUPS = 4;
const WORDS_A_GROUP = 12;

beforeAll(() => useBackend());

/** Words `GROUP-NUMBER` of any length that point in the direction of their group, and a zero vector. */
function grouped() {
  const random = new Random(3);
  const words: string[] = [];
  const rows: number[] = [];
  for (let group = 0; group < GROUPS; group++)
    for (let i = 0; i < WORDS_A_GROUP; i++) {
      const length = 0.1 + 5 * random.uniform();
      words.push(`${'abcd'[group]}${i}`);
      random.normals(DIMENSION).forEach((z, k) => {
        rows.push(length * ((k === group ? 1 : 0) + 0.1 * z));
      });
    }
  const matrix = Float32Array.from([...rows, ...new Float32Array(DIMENSION)]);
  const vocabulary = new Vocabulary(embeddingsFromRows([...words, 'zero'], matrix));
  return { vocabulary, ids: Int32Array.from(words, (word) => vocabulary.idOf(word)) };
}

describe('clusters of words', () => {
  test.each([1, 2, 3])('are the groups that the vectors point to, with seed %i', (seed) => {
    const { vocabulary, ids } = grouped();
    const clusters = WordClusters.find(vocabulary, ids, GROUPS, new Random(seed));
    const found = clusters.of(ids);
    const groups = Array.from({ length: GROUPS }, (_, group) =>
      found.slice(group * WORDS_A_GROUP, (group + 1) * WORDS_A_GROUP),
    );
    for (const group of groups) expect(new Set(group).size).toBe(1);
    expect(new Set(found).size).toBe(GROUPS);
    expect(clusters.count).toBe(GROUPS);
  });

  test('are the same again, and of words that were not clustered, too', () => {
    const { vocabulary, ids } = grouped();
    const some = ids.filter((_, i) => i % 3 !== 0);
    const [first, again] = [1, 2].map(() =>
      WordClusters.find(vocabulary, some, GROUPS, new Random(5)).of(ids),
    );
    expect(again).toEqual(first);
    expect(first?.[0]).toBe(first?.[1]);
  });

  test('hold a word whose vector is zero', () => {
    const { vocabulary, ids } = grouped();
    const words = [...ids, vocabulary.idOf('zero')];
    const clusters = WordClusters.find(vocabulary, words, GROUPS + 1, new Random(1));
    expect(clusters.of(Int32Array.from(words)).every((k) => k >= 0 && k <= GROUPS)).toBe(true);
  });

  test('cannot be more than there are words', () => {
    const { vocabulary, ids } = grouped();
    const twice = [...ids.slice(0, 3), ...ids.slice(0, 3)];
    expect(() => WordClusters.find(vocabulary, twice, 4, new Random(1))).toThrow(
      /general\.clusters is 4, but .* has 3 words .* fewer clusters/,
    );
  });
});
