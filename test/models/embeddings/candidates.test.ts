import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import { createEmbeddings, embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Nearest } from '../../../models/embeddings/nearest.js';
import { nearestRows } from '../../../models/embeddings/neighbours.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';

/** Words on the unit circle at their angle in degrees. */
function circle(angles: Record<string, number>) {
  const radians = Object.values(angles).map((angle) => (angle * Math.PI) / 180);
  return embeddingsFromRows(
    Object.keys(angles),
    Float32Array.from(radians.flatMap((angle) => [Math.cos(angle), Math.sin(angle)])),
  );
}

const people = circle({ ana: 0, luisa: 10, juan: 25, clavo: 90, el: 5, ',': 91 });

async function candidatesOf(vocabulary: Vocabulary, words: readonly string[], count: number) {
  const ids = words.map((word) => vocabulary.idOf(word));
  const candidates = await findCandidates(vocabulary, ids, count);
  const named = (id: number) => [...candidates.of(id)].map((one) => vocabulary.key(one));
  return { ids, candidates, named };
}

describe('findCandidates', () => {
  test('gives a word itself and its closest words by cosine, closest first', async () => {
    const { ids, named } = await candidatesOf(new Vocabulary(people), ['ANA', 'clavo'], 3);
    expect(ids.map(named)).toEqual([
      ['w:ana', 'w:el', 'w:luisa'],
      ['w:clavo', 'w:,', 'w:juan'],
    ]);
  });

  test('gives a word outside the matrix itself and one fewer closest word', async () => {
    const vector = () => Float32Array.of(0.1, 4);
    const vocabulary = new Vocabulary(createEmbeddings({ ...people, subwords: { vector } }));
    const { ids, named } = await candidatesOf(vocabulary, ['martillo'], 3);
    expect(ids.map(named)).toEqual([['w:martillo', 'w:clavo', 'w:,']]);
  });

  test('moves a number among its own neighbours where that is asked for, else among all numbers', async () => {
    const numbers = circle({ '12': 0, '13': 40, mayo: 5, '14': 80 });
    const named = async (digitMoves: 'any' | 'neighbours') => {
      const vocabulary = new Vocabulary(numbers);
      const id = vocabulary.idOf('12');
      const candidates = await findCandidates(vocabulary, [id], 2, { digitMoves });
      return [...candidates.of(id)].map((one) => vocabulary.key(one));
    };
    expect(await named('any')).toEqual(['w:12', 'w:13', 'w:14']);
    expect(await named('neighbours')).toEqual(['w:12', 'w:mayo']);
  });

  test('keeps the word itself where others have the same vector', async () => {
    const twins = circle({ a1: 10, a2: 10, a3: 10 });
    const { ids, named } = await candidatesOf(new Vocabulary(twins), ['a3'], 2);
    expect(ids.map(named)).toEqual([['w:a3', 'w:a1']]);
  });

  test('gives all words where the matrix holds fewer than asked for', async () => {
    const { ids, candidates } = await candidatesOf(new Vocabulary(people), ['ana'], 99);
    expect(ids.map((id) => candidates.of(id).length)).toEqual([6]);
  });

  test('never moves stop words, punctuation, unknown words and zero vectors, and counts them', async () => {
    const odd = embeddingsFromRows(
      ['ana', 'el', ',', 'nada'],
      Float32Array.of(1, 1, 1, 2, 1, 3, 0, 0),
    );
    const vocabulary = new Vocabulary(odd);
    const words = ['ana', 'El', ',', 'nada', 'xyz', 'zyx'];
    const { ids, candidates } = await candidatesOf(vocabulary, words, 2);
    expect(ids.map((id) => candidates.isMovable(id))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(candidates.immovable).toEqual({
      'stop word': 1,
      punctuation: 1,
      'unknown vector': 1,
      'zero vector': 1,
    });
    const [, stop = -1] = ids;
    expect(candidates.reason(stop)).toBe('stop word');
    expect(candidates.draw(stop, { integer: () => 0 })).toBe(stop);
  });

  test('moves digits among the digits-only words of the matrix', async () => {
    const numbers = circle({ ana: 0, '12': 10, '7': 80, a1: 11, '٣': 200 });
    const { ids, named } = await candidatesOf(new Vocabulary(numbers), ['7', '555'], 2);
    expect(ids.map((id) => named(id).sort())).toEqual([
      ['w:12', 'w:7', 'w:٣'],
      ['w:12', 'w:7', 'w:٣'],
    ]);
  });

  test('moves digits among the trained lengths where the matrix holds no number', async () => {
    const { ids, named } = await candidatesOf(new Vocabulary(people), ['42'], 2);
    const lengths = Array.from({ length: 10 }, (_, index) => `digits:${index + 1}`);
    expect(ids.map(named)).toEqual([lengths]);
  });

  test('moves a word without a vector to made-up ones where characters tell it', async () => {
    const vocabulary = new Vocabulary(people, { characters: true });
    const { ids, candidates, named } = await candidatesOf(vocabulary, ['Xana', '42', 'el'], 4);
    const [xana = -1, number = -1, stop = -1] = ids;
    expect(named(xana)).toHaveLength(4);
    expect(named(xana)[0]).toBe('unknown:xana');
    for (const other of candidates.of(xana)) {
      expect(vocabulary.trained(other)).toBe(1);
      expect(vocabulary.casing(other)).toBe(vocabulary.casing(xana));
    }
    expect(new Set(Array.from(candidates.of(number), (id) => vocabulary.trained(id))).size).toBe(
      10,
    );
    expect(candidates.reason(stop)).toBe('stop word');
  });

  test('draws each candidate for its number', async () => {
    const { ids, candidates } = await candidatesOf(new Vocabulary(people), ['ana'], 3);
    const [ana = -1] = ids;
    const drawn = [0, 1, 2].map((integer) => candidates.draw(ana, { integer: () => integer }));
    expect(drawn).toEqual([...candidates.of(ana)]);
  });

  test('gives the same from its cache, computes again where the cache is damaged, and says so where it cannot be read', async () => {
    const cacheDir = mkdtempSync(join(tmpdir(), 'tacet-neighbours-'));
    try {
      const found = async () => {
        const vocabulary = new Vocabulary(people);
        const ids = ['ana', 'clavo'].map((word) => vocabulary.idOf(word));
        const candidates = await findCandidates(vocabulary, ids, 3, { cacheDir });
        return ids.map((id) => [...candidates.of(id)].map((one) => vocabulary.key(one)));
      };
      const first = await found();
      expect(first).toEqual([
        ['w:ana', 'w:el', 'w:luisa'],
        ['w:clavo', 'w:,', 'w:juan'],
      ]);
      expect(await found()).toEqual(first);
      const folder = join(cacheDir, 'neighbours');
      const [file = ''] = readdirSync(folder);
      for (const content of ['', 'x'.repeat(56)]) {
        writeFileSync(join(folder, file), content);
        expect(await found()).toEqual(first);
      }
      expect(readdirSync(folder)).toEqual([file]);
      rmSync(join(folder, file));
      mkdirSync(join(folder, file));
      await expect(found()).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringContaining(file),
      });
    } finally {
      rmSync(cacheDir, { recursive: true });
    }
  });

  test('refuses a word that it was not asked for, and a count under one', async () => {
    const vocabulary = new Vocabulary(people);
    const { candidates } = await candidatesOf(vocabulary, ['ana'], 2);
    expect(() => candidates.of(vocabulary.idOf('clavo'))).toThrow(/findCandidates/);
    await expect(findCandidates(vocabulary, [], 0)).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});

describe('nearestRows', () => {
  test('equals a full sort of all cosines, over blocks', async () => {
    const dimension = 3;
    const matrix = Float32Array.from({ length: 9000 * dimension }, (_, i) => Math.sin(i * i * 0.7));
    const queries = matrix.slice(0, 300 * dimension);
    const dot = (a: number, b: number) => {
      let sum = 0;
      for (let i = 0; i < dimension; i++)
        sum += (matrix[a * dimension + i] as number) * (matrix[b * dimension + i] as number);
      return sum;
    };
    const cosine = (a: number, b: number) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    let query = 0;
    for await (const { rows, cosines } of nearestRows(matrix, queries, dimension, 7)) {
      if (query % 50 === 0) {
        const all = Array.from({ length: 9000 }, (_, row) => cosine(query, row));
        const sorted = all.toSorted((a, b) => b - a).slice(0, 7);
        for (const [rank, row] of rows.entries()) {
          expect(all[row]).toBeCloseTo(sorted[rank] as number, 5);
          expect(cosines[rank]).toBeCloseTo(sorted[rank] as number, 5);
        }
        expect(new Set(rows).size).toBe(7);
      }
      query++;
    }
    expect(query).toBe(300);
  });

  test('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    const results = nearestRows(people.matrix, people.matrix, 2, 2, { signal });
    await expect(results.next()).rejects.toThrow('stop');
  });
});

describe('Nearest', () => {
  test('keeps what a full sort puts first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 12 }),
        (scores, count) => {
          const nearest = new Nearest(count);
          for (const [row, score] of scores.entries())
            if (score > nearest.bar) nearest.offer(row, score);
          const expected = [...scores.entries()]
            .sort(([a, x], [b, y]) => y - x || a - b)
            .slice(0, count);
          const best = nearest.best();
          expect([...best.rows]).toEqual(expected.map(([row]) => row));
          expect([...best.scores]).toEqual(expected.map(([, score]) => score));
        },
      ),
    );
  });
});
