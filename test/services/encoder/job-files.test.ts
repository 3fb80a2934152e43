import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { JobFiles, type JobRecord } from '../../../services/encoder/job-files.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tacet-jobs-'));
});
afterEach(() => rm(home, { recursive: true }));

const ID = '00000000-0000-4000-8000-00000000000';

function recordOf(last: number, created: string): JobRecord {
  return {
    view: {
      ...{ id: `${ID}${last}`, state: 'waiting', created, ended: null },
      ...{ progress: null, report: null, problem: null },
    },
    ...{ input: 'notes', dryRun: false },
  };
}

test('a restart finds the jobs, oldest first, what an earlier version reported as it was', async () => {
  const files = await JobFiles.open(home);
  const older = recordOf(2, '2026-01-01T00:00:00.000Z');
  const ended = { ...older.view, state: 'done' as const, ended: older.view.created };
  const reported = { ...older, view: { ...ended, report: { sentences: 1, ofBefore: true } } };
  const newer = { ...recordOf(1, '2026-01-02T00:00:00.000Z'), copies: 2, keep: ['HOSPITAL'] };
  await files.put(newer);
  await files.put(reported);
  expect(await files.all()).toEqual([reported, newer]);
});

test('a file that was cut off or changed keeps no restart from the other jobs', async () => {
  const files = await JobFiles.open(home);
  const whole = recordOf(0, '2026-01-01T00:00:00.000Z');
  await files.put(whole);
  const { view } = recordOf(3, '2026-01-01T00:00:00.000Z');
  const damaged = [
    '{"view": {"id"',
    JSON.stringify({ ...whole, view: { id: view.id } }),
    JSON.stringify({ ...whole, view: { ...view, created: 1 } }),
    JSON.stringify({ ...whole, view, input: ['notes'] }),
    JSON.stringify(whole),
    'null',
  ];
  for (const text of damaged) {
    await writeFile(join(home, 'jobs', `${view.id}.json`), text);
    expect(await files.all()).toEqual([whole]);
  }
});
