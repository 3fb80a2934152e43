import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../../shared-data.js';

const FIXTURES = join(ROOT, 'test/models/embeddings/fixtures');
const TINY = join(FIXTURES, 'tiny.bin');

let cache: string;
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'tacet-cli-'));
});
afterAll(() => rmSync(cache, { recursive: true }));

function tacet(args: readonly string[], input = '') {
  const main = join(ROOT, 'dist/services/cli/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'embeddings', ...args], {
    input,
    encoding: 'utf8',
    env: { ...process.env, TACET_CACHE: cache, TACET_BACKEND: 'cpu' },
  });
  return { status, stdout, stderr };
}

describe('tacet embeddings', () => {
  test('convert says what was converted and where it is', () => {
    const { status, stdout } = tacet(['convert', TINY, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ words: 16, dimension: 4, subwords: true });
  });

  test('vectors prints what `fasttext print-word-vectors` prints', () => {
    const golden = readFileSync(join(FIXTURES, 'tiny.vectors.txt'), 'utf8');
    const words = golden.replace(/ .*/g, '');
    const { status, stdout } = tacet(['vectors', TINY], words);
    expect(status).toBe(0);
    expect(stdout).toBe(golden.replace(/ $/gm, ''));
  });

  test('vectors prints whole values as JSON, and folds case where asked to', () => {
    const { stdout } = tacet(['vectors', TINY, 'MARÍA', '--fold-case', '--json']);
    const [{ vector }] = JSON.parse(stdout) as [{ vector: number[] }];
    expect(vector[0]).toBeCloseTo(0.65133, 4);
    expect(vector).toEqual([...Float32Array.from(vector)]);
  });

  test('vectors answers for words of the command line with one result, and for others with a line each', () => {
    const glove = join(cache, 'two.txt');
    writeFileSync(glove, 'ana 1 2\nluis 3 4\n');
    const answers = [
      { word: 'ana', vector: [1, 2] },
      { word: 'nadie', vector: null },
      { word: 'luis', vector: [3, 4] },
    ];
    const words = answers.map(({ word }) => word);
    const named = tacet(['vectors', glove, ...words, '--json']);
    expect(JSON.parse(named.stdout)).toEqual(answers);
    expect(named.stderr).toMatch(/1 words have no vector\n$/);
    const { stdout } = tacet(['vectors', glove, '--json'], words.join('\n'));
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual(answers);
    expect(tacet(['vectors', glove, ...words]).stdout).toBe('ana 1 2\nluis 3 4\n');
    expect(tacet(['vectors', glove, 'nadie'])).toMatchObject({
      ...{ status: 0, stdout: '', stderr: expect.stringMatching(/1 words have no vector\n$/) },
    });
    expect(JSON.parse(tacet(['vectors', glove, 'nadie', '--json']).stdout)).toHaveLength(1);
  });

  test('neighbours prints the closest words, the word itself first', () => {
    const { status, stdout } = tacet(['neighbours', TINY, 'maría', '--count', '3', '--json']);
    expect(status).toBe(0);
    const [found] = JSON.parse(stdout) as { neighbours: { word: string; cosine: number }[] }[];
    expect(found?.neighbours).toHaveLength(3);
    expect(found?.neighbours[0]?.word).toBe('maría');
    expect(found?.neighbours[0]?.cosine).toBeCloseTo(1, 5);
  });

  test('oov counts a corpus by where its vectors come from, and prints no word of it', () => {
    const corpus = join(cache, 'corpus.jsonl');
    const spans = [{ start: 0, end: 5, label: 'PATIENT' }];
    writeFileSync(corpus, `${JSON.stringify({ text: 'María Zuloaga, 2019.', spans })}\n`);
    const { status, stdout } = tacet(['oov', TINY, corpus, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      documents: 1,
      tokens: 5,
      skipped: 0,
      phi: { 'lower case': 1, subwords: 0 },
      all: { 'as written': 1, subwords: 3 },
    });
    expect(stdout).not.toMatch(/zuloaga/i);
    expect(tacet(['oov', TINY, corpus]).stdout).toMatch(/^1 documents, 5 tokens\nvector /);
  });

  test('bad input ends as one line and its exit status', () => {
    const broken = join(cache, 'broken.vec');
    writeFileSync(broken, '1 2\nana 1\n');
    const glove = join(cache, 'glove.txt');
    writeFileSync(glove, 'ana 1 2\n');
    const failures: [string[], number][] = [
      [['convert', join(cache, 'absent.vec')], 3],
      [['convert', broken], 3],
      [['convert'], 2],
      [['neighbours', glove, 'nadie'], 3],
      [['neighbours', TINY, 'ana', '--count', '0'], 2],
      [['vectors', TINY, '--unknown'], 2],
      [['oov', TINY, join(cache, 'absent')], 3],
    ];
    for (const [args, status] of failures) {
      const outcome = tacet(args);
      expect(outcome.status).toBe(status);
      expect(outcome.stdout).toBe('');
      expect(outcome.stderr.trimEnd().split('\n').at(-1)).toMatch(/^tacet: [a-z-]+: /);
      expect(outcome.stderr).not.toMatch(/ {4}at /);
    }
  });
});
