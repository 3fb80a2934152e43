import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDecimal } from '../../../models/embeddings/decimal.js';
import { readTextVectors } from '../../../models/embeddings/text-vectors.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-vectors-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(content: string | Buffer): string {
  const path = join(directory, 'vectors.txt');
  writeFileSync(path, content);
  return path;
}

describe('readTextVectors', () => {
  test('reads a .vec file with its header', async () => {
    const read = await readTextVectors(file('2 3\nana 1 -0.5 2e-3\nel 4 5 6 \n'));
    expect(read.words).toEqual(['ana', 'el']);
    expect(read.dimension).toBe(3);
    expect(read.matrix).toEqual(Float32Array.of(1, -0.5, 2e-3, 4, 5, 6));
  });

  test('reads GloVe text without a header, CRLF, a byte order mark and no last newline', async () => {
    const read = await readTextVectors(file('\ufeffana 1 2\r\nel 3 4'));
    expect(read.words).toEqual(['ana', 'el']);
    expect(read.matrix).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test('keeps spaces inside a word', async () => {
    const read = await readTextVectors(file('ana 1 2\n. . . 3 4\nat name@example.org 5 6\n'));
    expect(read.words).toEqual(['ana', '. . .', 'at name@example.org']);
  });

  test('keeps the first of a word that stands twice', async () => {
    const read = await readTextVectors(file('ana 1 2\nel 3 4\nana 5 6\n'));
    expect(read.words).toEqual(['ana', 'el']);
    expect(read.matrix).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  test.each([
    ['too few numbers', '2 3\nana 1 2 3\nel 4 5\n', /:3: expected a word and 3 numbers/],
    ['too many numbers', 'ana 1 2\nel 3 4 5\n', /:2: expected 2 numbers, found more/],
    ['a value that is no number', '1 2\nana 1 nan\n', /:2: expected a word and 2 numbers/],
    ['a value that overflows', '1 2\nana 1 1e999\n', /:2: expected a word and 2 numbers/],
    ['a value that 32 bits do not hold', '1 2\na 1 1e39\n', /:2: .* within a 32-bit float/],
    ['a cut-off file', '3 2\nana 1 2\n', /:2: the first line promises 3 words, found 1/],
    ['an empty file', '', /:0: expected a word and its vector/],
    ['a header alone', '2 3\n', /:1: expected a word, found the end/],
    ['one field a line', 'ana\nel\n', /:1: expected `words dimensions`/],
  ])('refuses %s, naming the line', async (_, content, message) => {
    await expect(readTextVectors(file(content))).rejects.toMatchObject({
      code: 'embeddings-invalid',
      message: expect.stringMatching(message),
    });
  });

  test('refuses a line without end in bounded memory', async () => {
    await expect(readTextVectors(file(Buffer.alloc(6 << 20, 'a')))).rejects.toMatchObject({
      code: 'embeddings-invalid',
      message: expect.stringMatching(/:1: expected a line of at most/),
    });
  });

  test('says which file is missing', async () => {
    await expect(readTextVectors(join(directory, 'absent'))).rejects.toMatchObject({
      code: 'file-not-found',
    });
  });

  test('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(readTextVectors(file('ana 1 2\n'), { signal })).rejects.toThrow('stop');
  });

  test('ends with a result or one error on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('2 3', 'ana', ' ', '\n', '1', '.5', '-', 'é', '\r', '\0', '1e9')),
        async (pieces) => {
          try {
            const { words, matrix, dimension } = await readTextVectors(file(pieces.join('')));
            expect(matrix.length).toBe(words.length * dimension);
          } catch (error) {
            expect(error).toMatchObject({ code: 'embeddings-invalid' });
          }
        },
      ),
    );
  });
});

describe('parseDecimal', () => {
  test('reads every number as Number does', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.float({ noNaN: true, noDefaultInfinity: true }),
        ),
        fc.integer({ min: 0, max: 20 }),
        (value, places) => {
          for (const text of [String(value), value.toFixed(places), value.toExponential()]) {
            const bytes = Buffer.from(text);
            expect(parseDecimal(bytes, 0, bytes.length)).toBe(Number(text));
          }
        },
      ),
    );
  });

  test.each(['', '-', '.', '1.2.3', 'inf', '0x10', '1e', ' 1'])(
    'finds no number in "%s"',
    (text) => {
      expect(parseDecimal(Buffer.from(text), 0, text.length)).toBeNaN();
    },
  );
});
