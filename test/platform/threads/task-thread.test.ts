import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ProgressEvent } from '../../../platform/progress.js';
import { TaskThread } from '../../../platform/threads/task-thread.js';
import { TacetError } from '../../../proto/errors.js';

const TASKS = new URL('../../models/tensor/toy-tasks.js', import.meta.url);

describe('a thread of tasks', () => {
  let thread: TaskThread;
  beforeEach(() => {
    thread = new TaskThread(TASKS, 'hello');
  });
  afterEach(() => thread.stop());

  test('works on a task while another one pauses, and asks that one alone to stop', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const told = new Promise<ProgressEvent>((resolve) => {
      thread.run('wait', undefined, { signal, progress: resolve }).catch(() => {});
    });
    const stopped = thread.run('wait', undefined, { signal });
    expect(await told).toEqual({ step: 'wait', done: 0 });
    expect(await thread.run('greet', 'you')).toBe('hello you');
    controller.abort(new TacetError('interrupted', 'enough'));
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted', message: 'enough' });
    expect(await thread.run('greet', 'again')).toBe('hello again');
  });

  test('that handles text has more young space than another', async () => {
    const texts = new TaskThread(TASKS, 'hello', { handlesText: true });
    const [more, usual] = await Promise.all(
      [texts, thread].map((each) => each.run('youngMegabytes') as Promise<number>),
    );
    await texts.stop();
    expect(more).toBeGreaterThan(usual as number);
  });

  test("gives the system's refusals the codes that they have on every thread", async () => {
    const opening = thread.run('open', '/nowhere/at/all');
    await expect(opening).rejects.toMatchObject({ code: 'file-not-found' });
  });

  test('that begins where the working directory was removed says so', async () => {
    const before = process.cwd();
    const gone = mkdtempSync(join(tmpdir(), 'tacet-gone-'));
    process.chdir(gone);
    rmdirSync(gone);
    const nowhere = new TaskThread(TASKS, 'hello');
    try {
      await expect(nowhere.run('greet', 'you')).rejects.toMatchObject({
        code: 'file-not-found',
        message: expect.stringContaining('the working directory is no longer there'),
      });
    } finally {
      process.chdir(before);
      await nowhere.stop();
    }
  });

  test('says that it has ended, and of which task nobody will hear', async () => {
    await expect(thread.run('die')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining("'die'"),
    });
    await expect(thread.ended).rejects.toMatchObject({ code: 'internal' });
    await expect(thread.run('greet', 'you')).rejects.toMatchObject({ code: 'internal' });
  });

  test('rejects what is under way when it is stopped, and whatever is asked afterwards', async () => {
    const running = expect(thread.run('wait')).rejects.toMatchObject({ code: 'interrupted' });
    await thread.stop();
    await running;
    await thread.ended;
    await expect(thread.run('greet', 'you')).rejects.toMatchObject({ code: 'interrupted' });
  });
});
