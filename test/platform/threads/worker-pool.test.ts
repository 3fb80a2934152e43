import { getPriority } from 'node:os';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WorkerPool } from '../../../platform/threads/worker-pool.js';

const TASKS = new URL('../../models/tensor/toy-tasks.js', import.meta.url);
const LEAST_PRIORITY = 19;

let pool: WorkerPool | undefined;

function open(options: { threads?: number; data?: unknown } = {}): WorkerPool {
  pool = new WorkerPool(TASKS, { data: 'hello', ...options });
  return pool;
}

afterEach(() => pool?.close());

describe('a worker pool', () => {
  test('gives what its tasks give, for more tasks than threads', async () => {
    const one = open({ threads: 2 });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const greetings = await Promise.all(names.map((name) => one.run('greet', name)));
    expect(greetings).toEqual(names.map((name) => `hello ${name}`));
  });

  test('moves the buffers that it is told to move', async () => {
    const numbers = Float32Array.of(1, 2, 3);
    const doubled = await open().run('double', numbers, { transfer: [numbers.buffer] });
    expect(doubled).toEqual(Float32Array.of(2, 4, 6));
    expect(numbers).toHaveLength(0);
  });

  test('passes the code of an error on, and works on after it', async () => {
    const one = open();
    await expect(one.run('refuse')).rejects.toMatchObject({
      code: 'model-unsuitable',
      message: 'no such model',
    });
    await expect(one.run('missing')).rejects.toThrow("no task 'missing'");
    expect(await one.run('greet', 'again')).toBe('hello again');
  });

  test('reports a module whose tasks cannot be made', async () => {
    const one = open({ data: 'broken' });
    await expect(one.run('greet', 'a')).rejects.toMatchObject({ code: 'config-invalid' });
  });

  test('stops a task that is aborted, and starts another thread for the next', async () => {
    const one = open();
    const controller = new AbortController();
    const spinning = one.run('spin', undefined, { signal: controller.signal });
    const waiting = one.run('greet', 'next');
    controller.abort(new Error('enough'));
    await expect(spinning).rejects.toThrow('enough');
    expect(await waiting).toBe('hello next');
  });

  test('takes back a task that waits when it is aborted', async () => {
    const one = open();
    const controller = new AbortController();
    const first = one.run('greet', 'first');
    const second = one.run('greet', 'second', { signal: controller.signal });
    controller.abort(new Error('too late'));
    await expect(second).rejects.toThrow('too late');
    expect(await first).toBe('hello first');
    await expect(one.run('greet', 'x', { signal: controller.signal })).rejects.toThrow('too late');
  });

  test('rejects the task of a thread that dies, and goes on with another', async () => {
    const one = open();
    const dying = one.run('die');
    const next = one.run('greet', 'next');
    await expect(dying).rejects.toMatchObject({ code: 'internal' });
    expect(await next).toBe('hello next');
  });

  test('ends its running task before it closes, and takes no other', async () => {
    const closing = open();
    const running = closing.run('greet', 'last');
    const waiting = closing.run('greet', 'never');
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
    await closing.close();
    await rejected;
    expect(await running).toBe('hello last');
    await expect(closing.run('greet', 'x')).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('refuses input that cannot be copied', async () => {
    const one = open();
    await expect(one.run('greet', () => 1)).rejects.toThrow(/could not be cloned/);
    expect(await one.run('greet', 'fine')).toBe('hello fine');
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('has threads that can give way to the one that asks, which does not', async () => {
    const before = getPriority();
    expect(await open().run('giveWay', 5)).toBe(Math.min(5, LEAST_PRIORITY - before));
    expect(getPriority()).toBe(before);
  });
});
