import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readWinkVectors } from '../../../models/embeddings/wink-vectors.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-wink-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(content: string): string {
  const path = join(directory, 'wink.json');
  writeFileSync(path, content);
  return path;
}

/** The shape of the package: E numbers, their norm and the word's index. */
function content(vectors: Record<string, readonly number[]>, dimensions: number) {
  const entries = Object.entries(vectors);
  return {
    precision: 8,
    l2NormIndex: dimensions,
    wordIndex: dimensions + 1,
    size: entries.length,
    dimensions,
    words: Object.keys(vectors),
    vectors: Object.fromEntries(entries.map(([word, v], i) => [word, [...v, Math.hypot(...v), i]])),
    unkVector: new Array(dimensions + 2).fill(0),
  };
}

describe('readWinkVectors', () => {
  test('gives the words and vectors of any such file, compact or indented', async () => {
    const value = fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -9, max: 9 })
      .map((one) => one + 0);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.tuple(value, value, value), { minKeys: 1 }),
        fc.constantFrom(undefined, 2),
        async (vectors, indent) => {
          const read = await readWinkVectors(
            file(JSON.stringify(content(vectors, 3), null, indent)),
          );
          const words = Object.keys(vectors).map((word) => Buffer.from(word).toString());
          expect(read.words).toEqual(words);
          expect(read.matrix).toEqual(Float32Array.from(Object.values(vectors).flat()));
        },
      ),
    );
  });

  test('reads files that are longer than its buffer', async () => {
    const count = 50_000;
    const vectors = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `word${i}`,
        [i / 7, i / -3 + 1, i / 11, 1 / (i + 1)],
      ]),
    );
    const read = await readWinkVectors(file(JSON.stringify(content(vectors, 4))));
    expect(read.words).toEqual(Object.keys(vectors));
    expect(read.matrix).toEqual(Float32Array.from(Object.values(vectors).flat()));
  });

  test.each([
    ['cut off in a vector', (text: string) => text.slice(0, text.indexOf('0.5') + 2)],
    ['cut off behind the vectors', (text: string) => text.slice(0, text.indexOf(',"unkVector'))],
    ['with a value that is no number', (text: string) => text.replace('0.5', 'null')],
    ['with a value that 32 bits do not hold', (text: string) => text.replace('0.5', '1e39')],
    ['with a vector that is too short', (text: string) => text.replace(/0\.5,[^\]]*\]/, '0.5]')],
    ['with another number of words', (text: string) => text.replace('"size":2', '"size":3')],
    ['without dimensions', (text: string) => text.replace('"dimensions":2,', '')],
    ['without vectors', (text: string) => text.replace('"vectors"', '"others"')],
    ['of another kind', () => '[1, 2]'],
    ['that is empty', () => ''],
  ])('refuses a file %s, naming the byte', async (_, change) => {
    const text = JSON.stringify(content({ ana: [0.5, 1], luis: [2, 3] }, 2));
    await expect(readWinkVectors(file(change(text)))).rejects.toMatchObject({
      code: 'embeddings-invalid',
      message: expect.stringMatching(/byte \d+: expected/),
    });
  });
});
