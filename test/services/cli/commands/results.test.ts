import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SampleRun, writeSampleRun } from '../../../study/runs/sample-runs.js';
import { capturedRun } from '../captured-run.js';

const certified = (lambda: number) => ({
  ...{
    kind: 'certified',
    name: `cert-${lambda}-s1`,
    bound: 0.5 + lambda / 10,
    f1: 0.9 + lambda / 10,
  },
  config: { certified: { lambda } },
});

const RUNS: readonly SampleRun[] = [
  { name: 'raw/seed-1', kind: 'raw', f1: 0.98 },
  // Of what the kind does not read.
  { name: 'raw/seed-2', kind: 'raw', seed: 2, f1: 0.97, config: { certified: { patience: 6 } } },
  { name: 'raw/seed-3', kind: 'raw', seed: 3, f1: 0.99 },
  { name: 'aug-s1', kind: 'augmented', f1: 0.95 },
  { name: 'aug-s2', kind: 'augmented', seed: 2, f1: 0.97 },
  { name: 'pseudo10', kind: 'pseudonymized', config: { neighbours: 10 }, f1: 0.97 },
  { name: 'pseudo100', kind: 'pseudonymized', config: { neighbours: 100 }, f1: 0.96 },
  { name: 'adv', kind: 'adversarial', f1: 0.975, bound: 0.9 },
  ...[0.1, 0.3].map(certified),
  { name: 'adv-new', kind: 'adversarial', seed: 2, finished: false },
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-results-'));
  for (const run of RUNS) await writeSampleRun(path.join(folder, 'runs'), run);
});
afterAll(() => rm(folder, { recursive: true }));

const results = (...args: string[]) => capturedRun('results', path.join(folder, 'runs'), ...args);

const out = () => path.join(folder, 'out');
const report = () => readFile(path.join(out(), 'RESULTS.md'), 'utf8');

describe('tacet results', () => {
  test('makes one row of all seeds of a configuration, with the interval of their mean', async () => {
    const { exit, stdout } = await results();
    expect(exit).toBe(0);
    // t = 4.303 for three values with a standard deviation of 0.01: 98 ± 2.5, and ± 1 over notes.
    expect(stdout).toMatch(/^raw +98\.0 \[95\.3, 100\.0\].* notes, 3 seeds$/m);
    expect(stdout).toMatch(/^aug +96\.0 \[94\.0, 98\.0\].* notes, of either seed$/m);
    expect(stdout).toMatch(/^pseudo10 +97\.0 \[96\.0, 98\.0\].* notes, one seed$/m);
  });

  test('says what the rows rest on: N, notes, lambda, and where time cut a measurement', async () => {
    const { stdout } = await results();
    expect(stdout).toMatch(/^cert-0\.3 +certified +100 +one \(1\) +9 \+ 1 \+ 5 .*lambda 0\.3/m);
    expect(stdout).toMatch(/^adv .*adversary: 12 of up to 50 epochs$/m);
    expect(stdout).toContain('not finished: adv-new');
  });

  test('gives all rows, runs and measurements as JSON', async () => {
    const { stdout } = await capturedRun('--json', 'results', path.join(folder, 'runs'));
    const { rows, runs, unfinished } = JSON.parse(stdout);
    expect(rows).toHaveLength(7);
    expect(runs).toHaveLength(10);
    expect(unfinished).toEqual(['adv-new']);
    const adversarial = rows.find(({ kind }: { kind: string }) => kind === 'adversarial');
    expect(adversarial.cells.bound).toEqual({ value: 0.9, interval: [0.89, 0.91], runs: 1 });
  });

  test('writes a report, the figures of the paper, the frontier, and curves of every run', async () => {
    const { exit, stderr } = await results('--out', out());
    expect([exit, stderr]).toEqual([0, '']);
    const figures = await readdir(path.join(out(), 'figures'));
    for (const name of ['figure-4', 'figure-5-adversarial', 'figure-5-certified', 'frontier'])
      expect(figures).toEqual(expect.arrayContaining([`${name}.svg`, `${name}.png`]));
    const curves = await readdir(path.join(out(), 'figures/curves'));
    expect(curves).toContain('raw-seed-1-loss.svg');
    expect(curves).toContain('adv-accuracy.png');
    const text = await report();
    expect(text).toContain('![Figure 4.');
    expect(text).toContain('a processor, 2 cores, 1 kernel thread, Node 20.0.0');
    expect(text).toContain('https://aclanthology.org/P19-1584/');
    expect(text).not.toMatch(/NaN|undefined|null/);
  });

  test('keeps what a person wrote when the report is written anew', async () => {
    const file = path.join(out(), 'RESULTS.md');
    await writeFile(file, (await report()).replace('No reading yet.', 'The noise\n\nis enough.'));
    await results('--out', out());
    expect(await report()).toContain('The noise\n\nis enough.');
    expect(await report()).not.toContain('No reading yet.');
  });

  test('refuses a folder without runs', async () => {
    const { exit, stderr } = await capturedRun('results', path.join(folder, 'nothing'));
    expect(exit).toBe(3);
    expect(stderr).toContain('there is no run');
  });

  test('draws the figures anew from what it wrote, byte for byte', async () => {
    await results('--out', out());
    const redrawn = path.join(folder, 'redrawn');
    const file = path.join(out(), 'results.json');
    const { exit, stdout } = await capturedRun('results', file, '--out', redrawn, '--json');
    expect(exit).toBe(0);
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(files).toContain('figures/figure-4.svg');
    for (const name of files)
      expect(await readFile(path.join(redrawn, name))).toEqual(
        await readFile(path.join(out(), name)),
      );
    expect(await readdir(redrawn)).toEqual(['figures']);

    await writeFile(path.join(folder, 'other.json'), '{"format": "of another program"}');
    const other = await capturedRun('results', path.join(folder, 'other.json'));
    expect(other).toMatchObject({ exit: 2, stderr: expect.stringContaining('tacet-results-1') });
  });
});
