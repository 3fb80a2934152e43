import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createEmbeddings, type Embeddings } from '../../../models/embeddings/embeddings.js';
import { readFastTextBinary } from '../../../models/embeddings/fasttext-binary.js';
import { FastTextSubwords, subwordBuckets } from '../../../models/embeddings/fasttext-subwords.js';
import { ROOT, testWithData } from '../../shared-data.js';

/**
 * A model of 16 invented words, trained with `fasttext skipgram -dim 4 -bucket 40 -minn 2 -maxn 4
 * -minCount 1`, and what `fasttext print-word-vectors` (0.9.2) prints for these words and others.
 */
const TINY = join(ROOT, 'test/models/embeddings/fixtures/tiny.bin');
const GOLDEN = join(ROOT, 'test/models/embeddings/fixtures/tiny.vectors.txt');

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-fasttext-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function open(path: string): Promise<Embeddings> {
  const { subwords, ...rows } = await readFastTextBinary(path);
  return createEmbeddings({
    identity: '',
    ...rows,
    subwords: subwords && new FastTextSubwords(subwords, rows.dimension),
  });
}

/** The program prints five significant digits; so are ours compared. */
function expectPrinted(embeddings: Embeddings, printed: string): void {
  let largest = 0;
  for (const line of printed.trimEnd().split('\n')) {
    const [word = '', ...values] = line.trim().split(' ');
    const vector = embeddings.subwordVector(word) ?? new Float32Array(embeddings.dimension);
    expect(values).toHaveLength(vector.length);
    for (const [i, value] of vector.entries())
      largest = Math.max(largest, Math.abs(Number(value.toPrecision(5)) - Number(values[i])));
  }
  expect(largest).toBeLessThanOrEqual(1e-5);
}

/** The tiny model with some bytes changed. */
function changed(change: (bytes: Buffer) => Buffer | undefined): string {
  const bytes = readFileSync(TINY);
  const path = join(directory, 'changed.bin');
  writeFileSync(path, change(bytes) ?? bytes);
  return path;
}

/** Where the input matrix starts: a flag (not quantised), 16 words + 40 buckets, 4 dimensions. */
function matrixStart(bytes: Buffer): number {
  const head = Buffer.alloc(17);
  head.writeBigInt64LE(56n, 1);
  head.writeBigInt64LE(4n, 9);
  return bytes.indexOf(head);
}

describe('readFastTextBinary', () => {
  test('gives the vectors that the fastText program prints, in and out of the vocabulary', async () => {
    const embeddings = await open(TINY);
    expect(embeddings.words).toHaveLength(16);
    expect(embeddings.row('María')).toBe(embeddings.row('maría'));
    expectPrinted(embeddings, readFileSync(GOLDEN, 'utf8'));
  });

  test.each([
    ['a classifier of version 11 has no n-grams', 36, false],
    ['a model of version 11 that is no classifier has n-grams, whatever its loss', 32, true],
  ])('%s', async (_, place, hasSubwords) => {
    const path = changed((bytes) => {
      bytes.writeInt32LE(11, 4);
      bytes.writeInt32LE(3, place);
      return bytes;
    });
    expect(await open(path)).toMatchObject({ hasSubwords });
  });

  test('refuses a quantised model, and says what to give', async () => {
    const path = changed((bytes) => {
      bytes[matrixStart(bytes)] = 1;
      return bytes;
    });
    await expect(open(path)).rejects.toMatchObject({
      code: 'embeddings-invalid',
      message: expect.stringMatching(/quantised .* give the full model/),
    });
  });

  test.each<[string, RegExp, (bytes: Buffer) => Buffer | undefined]>([
    ['another file', /expected a fastText model/, (bytes) => bytes.fill(7)],
    ['another version', /version 11 or 12, found 13/, (b) => void b.writeInt32LE(13, 4)],
    ['a huge dimension', /contradict/, (b) => void b.writeInt32LE(1 << 30, 8)],
    ['more words than entries', /contradict/, (b) => void b.writeInt32LE(17, 68)],
    ['a matrix of another size', /input vectors/, (b) => void b.writeInt32LE(41, 40)],
    [
      'a word whose vector is not finite',
      /: byte \d+: expected finite numbers, found Infinity/,
      (b) => void b.writeFloatLE(Number.POSITIVE_INFINITY, matrixStart(b) + 17),
    ],
    [
      'n-grams whose vector is not finite',
      /: byte \d+: expected finite numbers, found NaN/,
      (b) => void b.writeFloatLE(Number.NaN, matrixStart(b) + 17 + 4 * (4 * 55 + 3)),
    ],
    ['a cut-off matrix', /cut off/, (bytes) => bytes.subarray(0, matrixStart(bytes) + 500)],
    ['a cut-off dictionary', /cut off/, (bytes) => bytes.subarray(0, 120)],
    ['a cut-off head', /cut off/, (bytes) => bytes.subarray(0, 20)],
  ])('refuses %s', async (_, message, change) => {
    await expect(open(changed(change))).rejects.toMatchObject({
      code: 'embeddings-invalid',
      message: expect.stringMatching(message),
    });
  });

  test('ends with a result or one error whatever byte is changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1511), fc.nat(255), async (position, value) => {
        const path = changed((bytes) => {
          bytes[position] = value;
          return bytes;
        });
        const outcome = await open(path).catch((error: unknown) => error);
        expect(outcome).toEqual(
          expect.objectContaining(
            outcome instanceof Error ? { code: 'embeddings-invalid' } : { dimension: 4 },
          ),
        );
      }),
    );
  });
});

describe('subwordBuckets', () => {
  test('counts n-grams in characters, without the lone marks', () => {
    const parameters = { minn: 1, maxn: 2, bucket: 1000 };
    expect(subwordBuckets('ñ😀', parameters)).toHaveLength('<ñ ñ ñ😀 😀 😀>'.split(' ').length);
    expect(subwordBuckets('', parameters)).toHaveLength(1);
    expect(subwordBuckets('</s>', parameters)).toEqual([]);
  });

  test('gives buckets in range for any word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (word, bucket) => {
        const buckets = subwordBuckets(word, { minn: 1, maxn: 3, bucket });
        expect(buckets.every((one) => one >= 0 && one < bucket)).toBe(true);
      }),
    );
  });
});

/** The Debian package `fasttext`. */
const HAS_PROGRAM = spawnSync('fasttext').error === undefined;

if (HAS_PROGRAM)
  testWithData(
    'equals the fastText program on 1,000 words of es.bin, half of them out of its vocabulary',
    'embeddings/es.bin',
    async (path) => {
      const embeddings = await open(path);
      const { words } = embeddings;
      const known = Array.from({ length: 500 }, (_, i) => words[i * 56] as string);
      const endings = ['ñó', 'ÁÉ', 'x', 'ü€', '😀z'];
      const unknown = known.map((word, i) => `${word}${endings[i % endings.length]}`);
      expect(unknown.filter((word) => words.includes(word))).toEqual([]);
      const printed = execFileSync('fasttext', ['print-word-vectors', path], {
        input: `${[...known, ...unknown].join('\n')}\n`,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      expect(printed.trimEnd().split('\n')).toHaveLength(1000);
      expectPrinted(embeddings, printed);
    },
  );
else test.skip('equals the fastText program (it is not installed)', () => undefined);
