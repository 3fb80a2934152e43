import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { publishedTable, resultsReport } from '../../../study/report/report.js';
import { rowsOf } from '../../../study/report/row.js';
import { resultTables } from '../../../study/report/table.js';
import { collectRuns } from '../../../study/runs/collect.js';
import { type SampleRun, writeSampleRun } from '../runs/sample-runs.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-rows-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (...runs: SampleRun[]) => {
  for (const run of runs) await writeSampleRun(folder, run);
};
const rows = async () => rowsOf((await collectRuns(folder)).runs);

const certified = (seed: number, bound: number): SampleRun => ({
  ...{ name: `cert/seed-${seed}`, kind: 'certified', seed, f1: 0.97, bound },
});

describe('the runs of a row', () => {
  test('are one for each seed, that with most measured, and the others are named', async () => {
    await write(
      { name: 'raw/seed-1', kind: 'raw' },
      { name: 'raw/seed-2', kind: 'raw', seed: 2, f1: 0.97 },
      { name: 'repeated/seed-1', kind: 'raw', f1: 0.98 },
    );
    await cp(path.join(folder, 'raw/seed-2'), path.join(folder, 'save/seed-2'), {
      recursive: true,
    });
    const [row, ...rest] = await rows();
    expect(rest).toEqual([]);
    expect(row.seeds).toEqual([1, 2]);
    expect(row.cells.ownF1).toMatchObject({ value: 0.975, runs: 2 });
    expect(row.notes).toEqual([
      'left out, since their seed is here already: raw/seed-1, save/seed-2',
    ]);
  });

  test('differ in nothing that their kind reads', async () => {
    const later = { maxEpochs: 3 };
    await write(
      { name: 'raw/seed-1', kind: 'raw', f1: 0.98, config: { P3: later, audit: later } },
      { name: 'raw/seed-2', kind: 'raw', seed: 2, f1: 0.97, config: { outputNoiseFactor: 2 } },
      certified(1, 0.54),
      { ...certified(2, 0.54), config: { P2: { maxEpochs: 0 } } },
      { ...certified(3, 0.54), config: { P3: later, lambda: 2 } },
      { ...certified(4, 0.54), config: { P3: later, certified: { after: 'P3' } } },
    );
    expect((await rows()).map(({ seeds, variant }) => ({ seeds, variant }))).toEqual([
      { seeds: [1, 2], variant: '' },
      { seeds: [1, 3], variant: 'lambda 0.1' },
      { seeds: [2], variant: 'lambda 0.1, P2.maxEpochs 0' },
      { seeds: [4], variant: 'lambda 0.1, P3.maxEpochs 3, certified.after P3' },
    ]);
  });

  test('learned from copies by one language, and beside one text without labels', async () => {
    const run = (name: string, seed: number, beside: SampleRun['beside'] = {}): SampleRun => {
      return { ...{ name: `${name}/seed-${seed}`, kind: 'raw', seed, beside }, f1: 0.9 };
    };
    const texts = ['b'.repeat(64), 'c'.repeat(64)];
    await write(
      ...[run('none', 1), run('es', 2, { language: 'es' }), run('es', 3, { language: 'es' })],
      ...texts.map((unlabelled) => run(unlabelled.slice(0, 1), 1, { unlabelled })),
    );
    const found = (await rows()).map(({ name, seeds, variant }) => [name, seeds, variant]);
    expect(new Set(found.map((row) => JSON.stringify(row)))).toEqual(
      new Set(
        [
          ['none', [1], ''],
          ['es', [2, 3], 'language es'],
          ['b', [1], 'unlabelled bbbbbbbb'],
          ['c', [1], 'unlabelled cccccccc'],
        ].map((row) => JSON.stringify(row)),
      ),
    );
  });
});

describe('the tables', () => {
  const textOf = async (title: string) => {
    const tables = resultTables(await rows());
    return tables.find((each) => each.title === title)?.table.map((row) => row.join(' | '));
  };

  test('give the range of the seeds where a value has no interval over notes', async () => {
    await write(certified(1, 0.52), certified(2, 0.54), certified(3, 0.56));
    const [row] = await rows();
    const { boundMedian, bound } = row.cells;
    expect(boundMedian?.interval).toBeNull();
    expect(boundMedian?.range?.map((each) => each.toFixed(2))).toEqual(['0.42', '0.46']);
    expect(bound?.interval?.[0]).toBeLessThan(0.5);
    const [, line] = (await textOf('The limit on every attack')) ?? [];
    expect(line).toContain('44.0 (seeds 42.0 to 46.0)');
    expect(line).toContain('| 100.0 |');
  });

  test('begin with F1 over the types of HIPAA where any row has it, and else have no column for it', async () => {
    await write({ name: 'raw/seed-1', kind: 'raw', f1: 0.97 });
    const [plain] = (await textOf('Finding PHI')) ?? [];
    expect(plain).toMatch(/^ \| F1, own \| /);
    expect(plain).not.toContain('HIPAA');
    await write({ ...certified(1, 0.52), hipaaF1: 0.9 });
    const [heading, ...lines] = (await textOf('Finding PHI')) ?? [];
    expect(heading).toMatch(/^ \| HIPAA F1, own \| F1, own \| .* \| HIPAA F1, releases \| F1, rel/);
    expect(lines[0]).toContain('raw |  | 97.0');
    expect(lines[1]).toContain('cert | 90.0 [89.0, 91.0] | 97.0');
  });

  test('say the least validation loss, by which settings may be chosen', async () => {
    await write({ name: 'raw/seed-1', kind: 'raw', f1: 0.98 });
    const [heading, line] = (await textOf('What the rows rest on')) ?? [];
    expect(heading).toContain('| hours | validation loss |');
    expect(line).toContain('| 0.3000 |');
  });

  test('say that of the last phase that trains more than an adversary', async () => {
    await write(
      { ...certified(1, 0.52), losses: { P1: 0.2, certified: 0.05, adversary: 0.69 } },
      { name: 'adv/seed-1', kind: 'adversarial', losses: { P1: 0.2, 'P2-1': 0.5, P2: 0.6 } },
    );
    const losses = (await rows()).map(({ validationLoss }) => validationLoss);
    expect(losses).toEqual([0.2, 0.05]);
  });

  test('say how many pairs of a kind seeds have, and how many seeds have enough of them', async () => {
    await write(
      { ...certified(1, 0.52), pairs: { frequent: 2786, rare: 12 } },
      { ...certified(2, 0.54), pairs: { frequent: 2766 } },
    );
    expect((await textOf('The limit, by what was moved'))?.slice(1)).toEqual([
      'frequency: frequent | 2766 to 2786 | 53.0',
      'frequency: rare | 12 | 52.0 (1 of 2 seeds)',
    ]);
  });

  test('say for how many epochs an adversary learned on, beside its accuracy', async () => {
    await write(certified(1, 0.52), certified(2, 0.54));
    const [heading, line] = (await textOf('Attacks')) ?? [];
    expect(heading).toContain('learned on, its own | epochs of it (best)');
    expect(line).toContain('| 12 (2), 12 (2) |');
    expect(heading).not.toContain('after the last');
  });

  test('say what an adversary could after its last epoch, where that was measured', async () => {
    await write({ ...certified(1, 0.52), last: 0.61 });
    const [heading, line] = (await textOf('Attacks')) ?? [];
    expect(heading).toContain('| after the last, unseen | after the last, its own |');
    expect(line).toMatch(/\| 12 \(2\) \| 61\.0 [^|]*\| 61\.0 /);
  });

  test('remark where the adversary learned nothing before the freeze, or on to its limit', async () => {
    await write({ ...certified(1, 0.52), config: { P2: { maxEpochs: 0 } } });
    await write({ ...certified(2, 0.52), config: { audit: { maxEpochs: 12 } } });
    const [untaught, limited] = await rows();
    expect(untaught.notes).toContain('the adversary learned nothing before the freeze');
    expect(limited.notes).toContain('the adversary learned on to its limit of 12 epochs');
  });
});

test('study/RESULTS.md has the scores that are published elsewhere', async () => {
  const report = await readFile(
    path.join(import.meta.dirname, '../../../../study/RESULTS.md'),
    'utf8',
  );
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  const written = report.split('\n').map(cellsOf);
  const [heading, , ...lines] = publishedTable();
  for (const line of [heading, ...lines]) expect(written).toContainEqual(cellsOf(line));
  expect(lines.join('\n')).not.toMatch(/Friedrich.*\| binary token F1/);
});

test('a report counts hours that several runs share once', async () => {
  await write(certified(1, 0.52), { ...certified(2, 0.52), kind: 'adversarial' });
  const { runs } = await collectRuns(folder);
  const hour = { ...runs[0].run.epochs[0], seconds: 3600 };
  const own = { ...hour, epoch: 2, seconds: 7200 };
  const shared = runs.map((each, i) => {
    return { ...each, run: { ...each.run, epochs: i === 0 ? [hour] : [hour, own] } };
  });
  const parts = { rows: [], runs: shared, unfinished: [], unreadable: [], figures: [], curves: [] };
  const report = resultsReport({ ...parts, command: 'tacet results' });
  expect(report).toContain('3.0 hours of training epochs');
  expect(report).toContain('what several runs share is counted once');
});
