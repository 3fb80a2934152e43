import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ClaimedJob, TrainingJob } from '../../../../pool-store/training/training-job.js';
import { type ErrorCode, TacetError } from '../../../../proto/errors.js';
import type { ServiceClient } from '../../../../services/client/client.js';
import type { Publishing } from '../../../../services/workflows/train/job-training.js';
import {
  type WorkedJob,
  workOnJobs,
} from '../../../../services/workflows/train/training-worker.js';

let root: string;
let stop: AbortController;
/** What was asked of the pool, in order: the last part of each path, with the code of a failure. */
let asked: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-worker-'));
  writeFileSync(join(root, 'words.vec'), 'ana 1 2\nluis 3 4\n');
  stop = new AbortController();
  asked = [];
});
afterEach(() => {
  stop.abort();
  rmSync(root, { recursive: true, force: true });
});

const JOB: TrainingJob = {
  ...{ id: randomUUID(), snapshot: 'ab'.repeat(32), name: 'pooled', version: '1.0.0' },
  ...{ config: {}, model: 'cd'.repeat(32), scheme: null, asker: 'north', state: 'running' },
  ...{ worker: 'worker', created: new Date(0).toISOString(), begun: null, ended: null },
  ...{ leaseEnds: null, failure: null, result: null },
  checkpoints: [{ digest: 'ef'.repeat(32), epoch: 1, bytes: 10 }],
};
const fault = (code: ErrorCode) => new TacetError(code, 'as the pool says');

const claimed = (): ClaimedJob => ({
  job: JOB,
  lease: { id: randomUUID(), milliseconds: 60_000 },
});

/** Has one job, with whose checkpoint a training meets `met`; claims after it are answered with `then`. */
function poolWith(met: ErrorCode | Error, then: () => ClaimedJob | undefined): ServiceClient {
  let isFirst = true;
  const json = async (_method: string, path: string, body: { code?: string }) => {
    const step = path.split('/').at(-1) as string;
    asked.push(body.code === undefined ? step : `${step} ${body.code}`);
    if (step !== 'claims') return JOB;
    if (!isFirst) return then();
    isFirst = false;
    return claimed();
  };
  const saveTo = () => Promise.reject(met instanceof Error ? met : fault(met));
  return { json, saveTo } as unknown as ServiceClient;
}

function work(
  pool: ServiceClient,
  pollMs: number,
  untilIdle: boolean,
  publishing?: Publishing,
): Promise<WorkedJob[]> {
  return workOnJobs(
    {
      ...{ pool, pollMs, untilIdle, publishing, models: [], trust: { trustedKeys: [] } },
      ...{ embeddings: join(root, 'words.vec'), directory: join(root, 'work') },
    },
    { signal: stop.signal, progress: () => {}, say: () => {} },
  );
}

test('a job whose snapshot has as many runs as its name may have fails, and the next one follows', async () => {
  const pool = poolWith('too-many-kept', () => undefined);
  expect(await work(pool, 1, true)).toEqual([{ id: JOB.id, end: 'failed' }]);
  expect(asked).toEqual(['claims', 'fail too-many-kept', 'claims']);
});

test.each([
  ['lists its name', ['other', 'pooled'], 'too-many-kept'],
  ['does not list its name, and is not begun', ['other'], 'forbidden'],
])('a job fails where a worker that publishes %s', async (_, names, code) => {
  const publishing: Publishing = { registry: {} as ServiceClient, keys: [], names };
  const pool = poolWith('too-many-kept', () => undefined);
  expect(await work(pool, 1, true, publishing)).toEqual([{ id: JOB.id, end: 'failed' }]);
  expect(asked).toEqual(['claims', `fail ${code}`, 'claims']);
});

test.each([
  ['failed as nobody expected', new RangeError('out of all bounds'), 'internal'],
  ['found no memory', fault('memory-full'), 'memory-full'],
])('the next job follows one that %s, and the worker ends after five', async (_, met, code) => {
  let more = 3;
  const failing = () => poolWith(met, () => (more-- > 0 ? claimed() : undefined));
  const four = Array(4).fill({ id: JOB.id, end: 'failed' });
  expect(await work(failing(), 1, true)).toEqual(four);
  expect(asked.filter((each) => each === `fail ${code}`)).toHaveLength(4);
  more = 4;
  await expect(work(failing(), 1, true)).rejects.toThrow(met.message);
});

test.each(['store-unavailable', 'clock-wrong', 'bucket-denied'] as const)(
  'a worker that let go of a job for %s asks no sooner than it does where there is none',
  async (met) => {
    const working = work(
      poolWith(met, () => undefined),
      1e6,
      false,
    );
    while (!asked.includes('release')) await delay(1);
    await delay(50);
    stop.abort();
    expect(await working).toEqual([{ id: JOB.id, end: 'released' }]);
    expect(asked).toEqual(['claims', 'release']);
  },
);

test('a worker asks a pool that has no room again', async () => {
  let refused = 0;
  const pool = poolWith('withdrawn', () => {
    if (++refused === 3) stop.abort();
    throw fault('store-full');
  });
  expect(await work(pool, 1, false)).toEqual([{ id: JOB.id, end: 'failed' }]);
  expect(refused).toBe(3);
});
