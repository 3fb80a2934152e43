import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { OperatingRow } from '../../../../study/report/operating-point-rows.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite, SMALL_CONFIG } from '../small-corpus.js';

const { at } = corpusSite(18, 6);

const onCorpus = (heldOut: string, ...args: string[]) =>
  capturedRun(
    ...['experiment', ...args, '--corpus', at('notes'), '--held-out', at(heldOut)],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic'],
  );
const points = (heldOut: string, ...args: string[]) =>
  onCorpus(heldOut, 'operating-points', at('runs'), ...args);

beforeAll(async () => {
  const plan = {
    runs: [
      { name: 'a-plain', kind: 'raw', config: SMALL_CONFIG, seeds: 2 },
      { name: 'b-moved', kind: 'pseudonymized', config: SMALL_CONFIG, seeds: [2] },
    ],
  };
  await writeFile(at('plan.json'), JSON.stringify(plan));
  const { exit } = await onCorpus(
    'unseen',
    ...['run', at('plan.json'), '--out', at('runs'), '--only', 'facts'],
  );
  expect(exit).toBe(0);
}, 240_000);

test('recall at each precision is a mean over the seeds of a configuration, and held against the first', async () => {
  const { exit, stdout } = await points('unseen', '--json', '--precisions', '0.01,0.9');
  expect(exit).toBe(0);
  const [plain, moved, ...others] = JSON.parse(stdout) as OperatingRow[];
  expect(others).toEqual([]);
  expect([plain.name, plain.seeds, moved.name, moved.seeds]).toEqual([
    ...['a-plain', [1, 2]],
    ...['b-moved', [2]],
  ]);
  for (const { precision, recall, bySeed } of plain.at) {
    expect(bySeed).toHaveLength(2);
    expect(recall.value).toBeCloseTo((bySeed[0] + bySeed[1]) / 2, 12);
    // From a threshold of next to nothing on all is PHI.
    if (precision === 0.01) expect(bySeed).toEqual([1, 1]);
  }
  expect(plain.at.every(({ above }) => above === null)).toBe(true);
  for (const [i, { above, recall }] of moved.at.entries())
    expect(above?.value).toBeCloseTo(recall.value - plain.at[i].bySeed[1], 12);
}, 60_000);

test('says a line for each configuration', async () => {
  const { exit, stdout } = await points('unseen');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^a-plain +1, 2 +.+\n^b-moved +2 /m);
  expect(stdout).toContain('above a-plain');
}, 60_000);

test('refuses notes that the runs learned from', async () => {
  const { exit, stderr } = await points('notes');
  expect([exit, stderr]).toEqual([3, expect.stringContaining('are among those of training')]);
});
