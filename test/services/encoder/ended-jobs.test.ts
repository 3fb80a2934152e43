import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { TacetError } from '../../../proto/errors.js';
import { sendEvents } from '../../../services/encoder/encoder-routes.js';
import { EncoderService } from '../../../services/encoder/encoder-service.js';
import { Jobs, type JobView } from '../../../services/encoder/jobs.js';
import type { ModelThread } from '../../../services/encoder/model-thread.js';
import type { ApprovalGrounds } from '../../../services/institution/approval/model-approval.js';

const internal = () => new TacetError('internal', 'it failed');

test('a job that has ended keeps nothing of what it worked on', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const jobs = new Jobs(internal);
  const submitted = () => {
    const documents = [{ text: 'a note' }];
    jobs.submit(jobs.create(), { run: async () => documents.length });
    return new WeakRef(documents);
  };
  const documents = submitted();
  await Promise.all(jobs.list().map(({ id }) => jobs.result(id)));
  for (let i = 0; i < 10 && documents.deref(); i++) {
    await turn();
    collect();
  }
  expect(jobs.list()).toMatchObject([{ state: 'done' }]);
  expect(documents.deref()).toBe(undefined);
});

test('whoever waits for a job stops it by going away, also before it began, and disturbs nobody afterwards', async () => {
  const jobs = new Jobs(internal);
  const untilStopped = {
    run: ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const visit = new AbortController();
  const first = jobs.submit(jobs.create(), untilStopped);
  const stopped = jobs.result(first.id, visit.signal);
  visit.abort();
  await expect(stopped).rejects.toEqual(internal());
  const second = jobs.submit(jobs.create(), untilStopped);
  await expect(jobs.result(second.id, visit.signal)).rejects.toEqual(internal());
  expect(jobs.list().map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);

  // So long after its end that the job is forgotten.
  const late = new AbortController();
  const { id } = jobs.submit(jobs.create(), { run: async () => 1 });
  await jobs.result(id, late.signal);
  for (let i = 0; i < 101; i++) {
    const other = jobs.submit(jobs.create(), { run: async () => 1 });
    await jobs.result(other.id);
  }
  expect(() => jobs.view(id)).toThrow(expect.objectContaining({ code: 'not-found' }));
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.once('uncaughtException', note);
  late.abort();
  await turn();
  process.off('uncaughtException', note);
  expect(faults).toEqual([]);
});

test('a process that ends leaves to the next what it stopped, and neither what ended nor what was cancelled', async () => {
  const told: string[] = [];
  const each = ['one', 'two', 'three'].map(() => new Jobs(internal)) as [Jobs, Jobs, Jobs];
  const submitted = (
    jobs: Jobs,
    name: string,
    end: (stopped: Promise<unknown>) => Promise<unknown>,
  ) =>
    jobs.submit(jobs.create(), {
      run: ({ signal }) => end(new Promise((stop) => signal.addEventListener('abort', stop))),
      ended: async ({ state }) => void told.push(`${name} ${state}`),
    });
  const failing = (stopped: Promise<unknown>) => stopped.then(() => Promise.reject(internal()));
  const { id } = submitted(each[0], 'cancelled', failing);
  submitted(each[0], 'waiting', failing);
  submitted(each[1], 'whole', (stopped) => stopped);
  submitted(each[2], 'stopped', failing);
  each[0].cancel(id);
  await Promise.all(each.map((jobs) => jobs.close()));
  expect(told.sort()).toEqual(['cancelled cancelled', 'whole done']);
});

/** A response whose reader takes nothing until it is told to. */
class SlowResponse extends EventEmitter {
  destroyed = false;
  type() {
    return this;
  }
  flushHeaders() {}
  write() {
    return false;
  }
  end() {}
}

test('events wait for a slow reader without a listener for each, and not for one that has gone', async () => {
  const response = new SlowResponse();
  const counts: number[] = [];
  async function* views(): AsyncGenerator<JobView> {
    for (let i = 0; i < 20; i++) {
      counts.push(response.listenerCount('close') + response.listenerCount('error'));
      setImmediate(() => response.emit('drain'));
      yield { ended: null } as JobView;
    }
    response.destroyed = true;
    yield { ended: 'now' } as JobView;
  }
  await sendEvents(views(), response as unknown as Response);
  expect(Math.max(...counts)).toBe(0);
});

test('a record of a forgotten job that cannot be removed is told, and ends no encoder', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tacet-jobs-'));
  const faults: unknown[] = [];
  const explain = (error: unknown) => {
    faults.push(error);
    return internal();
  };
  const models = { identities: { model: undefined, pipeline: undefined } } as ModelThread;
  const approval = {} as ApprovalGrounds;
  const service = await EncoderService.open({ home, models, limits: {}, approval, explain });
  const first = service.jobs.create();
  await mkdir(join(home, 'jobs', `${first.id}.json`));
  const ended = new Date().toISOString();
  service.jobs.restore({ ...first, state: 'done', ended });
  for (let i = 0; i < 100; i++)
    service.jobs.restore({ ...service.jobs.create(), state: 'done', ended });
  for (let i = 0; i < 100 && faults.length === 0; i++) await delay(10);
  await service.close();
  await rm(home, { recursive: true });
  expect(faults).toEqual([expect.objectContaining({ code: 'ERR_FS_EISDIR' })]);
});
