import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeResults } from '../../../study/report/write-results.js';
import { collectRuns } from '../../../study/runs/collect.js';
import { writeSampleRun } from './sample-runs.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-collect-'));
  for (const name of ['broken', 'whole'])
    await writeSampleRun(path.join(folder, 'runs'), { name, kind: 'raw', f1: 0.9 });
});
afterEach(() => rm(folder, { recursive: true }));

const broken = (file: string) => path.join(folder, 'runs/broken', file);
const collect = () => collectRuns(path.join(folder, 'runs'));

describe('a run that cannot be read', () => {
  test.each([
    ['config.json', 'null', 'config.json: expected the record of tacet train'],
    ['config.json', '{"kind": "ra', 'config.json: expected JSON'],
    ['networks.json', '{"repres', 'networks.json: expected the networks'],
    ['networks.json', 'null', 'networks.json: expected the networks'],
    ['measurements.json', '{"format": ', 'measurements.json: expected JSON'],
    [
      'metrics.jsonl',
      '{"stage": "P\n{"stage": "P1"}\n',
      'metrics.jsonl, line 1: expected the JSON',
    ],
    ['metrics.jsonl', 'null\n', 'metrics.jsonl, line 1: '],
    ['measuring/adversary/metrics.jsonl', '{\n', 'adversary/metrics.jsonl, line 1: expected'],
  ])('for its %s (%j) is left out, and the others are tabulated', async (file, text, why) => {
    await mkdir(path.dirname(broken(file)), { recursive: true });
    await writeFile(broken(file), text);
    const { runs, unreadable } = await collect();
    expect(runs.map(({ name }) => name)).toEqual(['whole']);
    expect(unreadable).toEqual([{ name: 'broken', why: expect.stringContaining(why) }]);
    expect(unreadable[0].why).not.toContain(folder);
  });

  test.each(['networks.json', 'measurements.json', 'metrics.jsonl'])(
    'since there is something else in the place of %s is not taken for one without it',
    async (file) => {
      await rm(broken(file));
      await mkdir(broken(file));
      const { unfinished, unreadable } = await collect();
      expect(unfinished).toEqual([]);
      expect(unreadable).toEqual([
        { name: 'broken', why: expect.stringContaining(`${file}: cannot be read`) },
      ]);
    },
  );

  test('stands in the report', async () => {
    await writeFile(broken('config.json'), 'null');
    const files: Record<string, string> = {};
    const report = path.join(folder, 'out');
    await writeResults(await collect(), report, 'tacet results');
    for (const name of ['RESULTS.md', 'results.json'])
      files[name] = await readFile(path.join(report, name), 'utf8');
    expect(files['RESULTS.md']).toContain('not readable: broken: config.json: expected');
    expect(JSON.parse(files['results.json']).unreadable).toHaveLength(1);
  });
});

test('results.json says of each run what it learned from beside the notes', async () => {
  const beside = { unlabelled: 'b'.repeat(64), language: 'es' };
  await writeSampleRun(path.join(folder, 'runs'), { name: 'more', kind: 'raw', beside });
  const report = path.join(folder, 'out');
  await writeResults(await collect(), report, 'tacet results');
  const { runs } = JSON.parse(await readFile(path.join(report, 'results.json'), 'utf8'));
  expect(runs.find(({ name }: { name: string }) => name === 'more')).toMatchObject(beside);
});

test('a last line of metrics that was not written to its end is no fault of the run', async () => {
  await appendFile(broken('metrics.jsonl'), '\n{"stage": "P1", "epo');
  const { runs, unreadable } = await collect();
  expect(unreadable).toEqual([]);
  expect(runs[0].run.epochs).toHaveLength(1);
});
