import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { CHUNKS, StreamTurns } from '../../../services/http/stream-turns.js';

async function* numbers(name: string, made: string[]): AsyncGenerator<string> {
  for (let i = 0; i < 3; i++) {
    made.push(`${name}${i}`);
    yield `${name}${i}`;
  }
}

/** A request that is answered with a stream. */
async function read(turns: StreamTurns, chunks: AsyncIterable<string>): Promise<string[]> {
  const ends = turns.request();
  const found: string[] = [];
  try {
    for await (const chunk of turns.of(chunks)) found.push(chunk);
  } finally {
    ends();
  }
  return found;
}

function readAll(turns: StreamTurns, names: string, made: string[]): Promise<string[][]> {
  return Promise.all([...names].map((name) => read(turns, numbers(name, made))));
}

test('streams are whole, and in their order', async () => {
  const turns = new StreamTurns();
  turns.request();
  const made: string[] = [];
  expect(await readAll(turns, 'abc', made)).toEqual([
    ['a0', 'a1', 'a2'],
    ['b0', 'b1', 'b2'],
    ['c0', 'c1', 'c2'],
  ]);
  expect(made).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('while another request is there, a turn of the event loop makes a few chunks after the first ones', async () => {
  const turns = new StreamTurns();
  turns.request();
  const made: string[] = [];
  const streams = readAll(turns, 'abcdefghijkl', made);
  let before = made.length;
  expect(before).toBe(12);
  while (made.length < 36) {
    await setImmediate();
    expect(made.length - before).toBeLessThanOrEqual(CHUNKS);
    before = made.length;
  }
  await streams;
});

test('without another request there are no turns, from a moment after the last one on', async () => {
  let nowMs = 0;
  const turns = new StreamTurns(() => nowMs);
  const madeInOneTurn = async () => {
    const made: string[] = [];
    const streams = readAll(turns, 'abcdefghijkl', made);
    await setImmediate();
    const count = made.length;
    await streams;
    return count;
  };
  expect(await madeInOneTurn()).toBe(36);
  const ends = turns.request();
  expect(await madeInOneTurn()).toBeLessThan(36);
  ends();
  expect(await madeInOneTurn()).toBeLessThan(36);
  nowMs = 1000;
  expect(await madeInOneTurn()).toBe(36);
});

test('who stops in the middle keeps nobody from going on', async () => {
  const turns = new StreamTurns();
  turns.request();
  const made: string[] = [];
  const stopped = turns.of(numbers('a', made))[Symbol.asyncIterator]();
  await stopped.next();
  const left = stopped.next();
  const other = read(turns, numbers('b', made));
  await left;
  await stopped.return?.(undefined);
  expect(await other).toEqual(['b0', 'b1', 'b2']);
});

test('a failure of one is its own', async () => {
  const turns = new StreamTurns();
  turns.request();
  const failing = (async function* () {
    yield 'x';
    throw new Error('damaged');
  })();
  const other = read(turns, numbers('b', []));
  await expect(read(turns, failing)).rejects.toThrow('damaged');
  expect(await other).toHaveLength(3);
});
