import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StreamTurns } from '../../../services/http/stream-turns.js';

async function* numbers(name: string, made: string[]): AsyncGenerator<string> {
  for (let i = 0; i < 3; i++) {
    made.push(`${name}${i}`);
    yield `${name}${i}`;
  }
}

async function all(chunks: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

test('streams are whole, and in their order', async () => {
  const turns = new StreamTurns();
  const made: string[] = [];
  const streams = ['a', 'b', 'c'].map((name) => all(turns.of(numbers(name, made))));
  expect(await Promise.all(streams)).toEqual([
    ['a0', 'a1', 'a2'],
    ['b0', 'b1', 'b2'],
    ['c0', 'c1', 'c2'],
  ]);
  expect(made).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('in one turn of the event loop no more than one chunk is made after the first ones', async () => {
  const turns = new StreamTurns();
  const made: string[] = [];
  const streams = ['a', 'b', 'c', 'd'].map((name) => all(turns.of(numbers(name, made))));
  let before = made.length;
  expect(before).toBe(4);
  while (made.length < 12) {
    await setImmediate();
    expect(made.length - before).toBeLessThanOrEqual(1);
    before = made.length;
  }
  await Promise.all(streams);
});

test('who stops in the middle keeps nobody from going on', async () => {
  const turns = new StreamTurns();
  const made: string[] = [];
  const stopped = turns.of(numbers('a', made))[Symbol.asyncIterator]();
  await stopped.next();
  const left = stopped.next();
  const other = all(turns.of(numbers('b', made)));
  await left;
  await stopped.return?.(undefined);
  expect(await other).toEqual(['b0', 'b1', 'b2']);
});

test('a failure of one is its own', async () => {
  const turns = new StreamTurns();
  const failing = (async function* () {
    yield 'x';
    throw new Error('damaged');
  })();
  const other = all(turns.of(numbers('b', [])));
  await expect(all(turns.of(failing))).rejects.toThrow('damaged');
  expect(await other).toHaveLength(3);
});
