import { describe, expect, test } from '@jest/globals';
import { drawUniformly } from '../../../../models/attacks/likelihood/hidden-words.js';
import { guessFromList } from '../../../../models/attacks/likelihood/list-guess.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { Random } from '../../../../models/tensor/random.js';

const ANGLES = { east: 0, middle: 45, north: 90, west: 180 };
const embeddings = embeddingsFromRows(
  Object.keys(ANGLES),
  Float32Array.from(
    Object.values(ANGLES).flatMap((angle) => {
      const radians = (angle * Math.PI) / 180;
      return [Math.cos(radians), Math.sin(radians)];
    }),
  ),
);

describe('guessing a word from its list of candidates alone', () => {
  const vocabulary = new Vocabulary(embeddings);
  const ids = (...words: string[]) => Int32Array.from(words, (word) => vocabulary.idOf(word));

  test('takes the only one that the matrix does not hold', () => {
    const options = ids('east', 'elsewhere', 'middle', 'north');
    expect(guessFromList(vocabulary, options, new Random(1))).toBe(1);
  });

  test('takes the one in the middle where the matrix holds all', () => {
    const options = ids('east', 'north', 'middle');
    expect(guessFromList(vocabulary, options, new Random(1))).toBe(2);
  });

  test('favours none where all are alike', () => {
    const options = ids('east', 'east', 'east', 'east');
    const random = new Random(2);
    const chosen = Array.from({ length: 400 }, () => guessFromList(vocabulary, options, random));
    for (const option of options.keys())
      expect(chosen.filter((each) => each === option).length).toBeGreaterThan(60);
  });
});

test('a hidden word that is drawn is each of its options equally often', () => {
  const example = {
    ids: Int32Array.of(7, 1, 8),
    labels: new Uint8Array(3),
    documentIndex: 0,
  };
  const hidden = { example, places: [{ position: 1, options: Int32Array.of(1, 2, 3, 4) }] };
  const random = new Random(3);
  const counts = new Map<number, number>();
  for (let i = 0; i < 400; i++) {
    const { ids } = drawUniformly(hidden, random).example;
    expect([ids[0], ids[2]]).toEqual([7, 8]);
    counts.set(ids[1], (counts.get(ids[1]) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4]);
  for (const count of counts.values()) expect(count).toBeGreaterThan(60);
  expect([...example.ids]).toEqual([7, 1, 8]);
});
