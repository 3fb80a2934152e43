import { describe, expect, test } from '@jest/globals';
import {
  movablePositions,
  moveEveryToken,
  moveOneToken,
} from '../../../models/certification/move.js';
import { Candidates, findCandidates } from '../../../models/embeddings/candidates.js';
import { Random } from '../../../models/tensor/random.js';
import { drawPairs, pairSource } from '../../../models/training/data/pairs.js';
import { pseudonymise, withPseudonymised } from '../../../models/training/data/pseudonymisation.js';
import { phiWords } from '../../../models/training/recipes.js';
import { toyExamples, toyVocabulary } from '../training/toy-notes.js';

const vocabulary = toyVocabulary();
const examples = toyExamples(vocabulary, 60, 3);
const candidates = await findCandidates(vocabulary, phiWords(examples), 4);

describe('a move', () => {
  test('changes at most one token, a movable PHI token, to one of its candidates', () => {
    const random = new Random(1);
    for (const example of examples) {
      const positions = movablePositions(example, candidates);
      if (positions.length === 0) continue;
      const { ids, position } = moveOneToken(example, positions, candidates, random);
      expect(example.labels[position]).toBeGreaterThan(0);
      expect([...candidates.of(example.ids[position])]).toContain(ids[position]);
      ids[position] = example.ids[position];
      expect(ids).toEqual(example.ids);
    }
  });

  test('draws each candidate, the word itself included, equally often', () => {
    const example = examples.find((each) => movablePositions(each, candidates).length === 1);
    const [position] = movablePositions(example as (typeof examples)[0], candidates);
    const counts = new Map<number, number>();
    const random = new Random(2);
    for (let i = 0; i < 4000; i++) {
      const { ids } = moveOneToken(example as (typeof examples)[0], [position], candidates, random);
      counts.set(ids[position], (counts.get(ids[position]) ?? 0) + 1);
    }
    expect(counts.size).toBe(4);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test('never touches an immovable word', () => {
    const [example] = examples.filter((each) => movablePositions(each, candidates).length > 0);
    const stay = new Map([...example.ids].map((id) => [id, new Int32Array(0)]));
    const none = new Candidates(4, stay, new Map());
    expect(movablePositions(example, none)).toEqual([]);
    expect(moveEveryToken(example, none, new Random(1))).toEqual(example.ids);
  });
});

describe('pairs', () => {
  const source = pairSource(examples, candidates);
  const sentences = [...source.positions.keys()];

  test('are real by halves, and a real one is the sentence itself', () => {
    const { ids, real } = drawPairs(sentences, source, new Random(4));
    const reals = real.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(2 * reals - sentences.length)).toBeLessThanOrEqual(1);
    sentences.forEach((sentence, i) => {
      if (real[i] === 1) expect(ids[i]).toBe(sentence.ids);
    });
  });

  test('come only from sentences with a movable PHI token', () => {
    for (const sentence of sentences) {
      expect([...sentence.labels].some((label) => label > 0)).toBe(true);
    }
  });
});

describe('pseudonymisation', () => {
  const shape = (each: (typeof examples)[0]) =>
    JSON.stringify([[...each.labels], [...each.ids].filter((_, t) => each.labels[t] === 0)]);

  test('moves PHI alone, keeps labels and lengths, and shuffles', () => {
    const moved = pseudonymise(examples, candidates, new Random(5));
    expect(moved.map(shape).sort()).toEqual(examples.map(shape).sort());
    expect(moved.map(shape)).not.toEqual(examples.map(shape));
  });

  test('as augmentation keeps the notes and adds copies, other ones each time', () => {
    const draw = (seed: number) => withPseudonymised(examples, 2, candidates, new Random(seed));
    const first = draw(1);
    expect(first).toHaveLength(3 * examples.length);
    expect(first.slice(0, examples.length)).toEqual(examples);
    for (const copy of [1, 2]) {
      const copied = first.slice(copy * examples.length, (copy + 1) * examples.length);
      expect(copied.map(shape).sort()).toEqual(examples.map(shape).sort());
    }
    expect(draw(1)).toEqual(first);
    expect(draw(2)).not.toEqual(first);
  });
});
