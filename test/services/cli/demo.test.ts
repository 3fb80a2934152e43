import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import { tokenise } from '../../../models/text/tokeniser.js';

const COMMAND = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const DIMENSION = 16;

/** Small enough to train in seconds; far too small to be good. */
const CONFIG = {
  neighbours: 5,
  representation: { units: 12, dimension: 8 },
  deidentifier: { units: 12, layers: 1 },
  adversary: { units: 6 },
  learner: { learningRate: 0.01, clipNorm: 1 },
  P1: { maxEpochs: 2 },
  P2: { maxEpochs: 1 },
  P3: { maxEpochs: 1 },
  certified: { maxEpochs: 2, warmupEpochs: 1 },
  supervised: { maxEpochs: 2 },
  audit: { maxEpochs: 2 },
};

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-demo-'));
  const notes = [...generateNotes({ seed: 7, documents: 36, institutions: 4 })];
  await writeCorpus(notes, path.join(folder, 'notes'), 'i2b2');
  const words = new Set(
    notes.flatMap(({ text }) => tokenise(text).map((token) => token.text.toLowerCase())),
  );
  const random = new Random(1);
  const lines = [...words].map((word) => `${word} ${[...random.normals(DIMENSION)].join(' ')}`);
  await writeFile(path.join(folder, 'words.vec'), lines.join('\n'));
  await writeFile(path.join(folder, 'config.json'), JSON.stringify(CONFIG));
});

describe('tacet demo', () => {
  test('runs the whole loop on a corpus and leaves what it says behind', async () => {
    const out = path.join(folder, 'out');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        ...[COMMAND, 'demo', '--corpus', path.join(folder, 'notes'), '--scheme', 'synthetic'],
        ...['--embeddings', path.join(folder, 'words.vec')],
        ...['--config', path.join(folder, 'config.json'), '--out', out],
      ],
      { env: { ...process.env, TACET_CACHE: path.join(folder, 'cache') } },
    );
    for (const row of ['centralised', 'alone, mean', 'pseudonymised', 'pooled private']) {
      expect(stdout).toContain(row);
    }
    expect(stdout).toMatch(/limit of every attack on one release\s+\d/);
    expect(stdout).not.toMatch(/NaN|undefined|null/);
    expect(stderr).toMatch(/\[7\/7\]/);
    const result = JSON.parse(await readFile(path.join(out, 'demo.json'), 'utf8'));
    expect(result.shared).toHaveLength(3);
    for (const { bytes, sentences } of result.shared) {
      expect(bytes).toBeGreaterThan(0);
      expect(sentences).toBeGreaterThan(0);
    }
    const audit = JSON.parse(await readFile(path.join(out, 'audit', 'audit.json'), 'utf8'));
    for (const { trials, success } of audit.attacks) {
      expect(trials).toBeGreaterThan(0);
      expect(success.value).toBeGreaterThanOrEqual(0);
    }
    expect(audit.contradictions).toEqual([]);
    const clean = await readdir(path.join(out, 'unseen', 'deidentified'));
    const gold = await readdir(path.join(out, 'unseen', 'text'));
    expect(clean.length).toBe(gold.length);
  }, 240_000);
});
