import { describe, expect, test } from '@jest/globals';
import { interleaved } from '../../../../models/training/data/interleaved.js';

async function* letters(text: string, end?: Error): AsyncGenerator<string> {
  yield* text;
  if (end) throw end;
}

const streamOf = (text: string, end?: Error) => ({
  count: text.length,
  values: letters(text, end),
});

async function read(streams: Parameters<typeof interleaved<string>>[0], seed: number) {
  let text = '';
  for await (const letter of interleaved(streams, seed)) text += letter;
  return text;
}

describe('streams side by side', () => {
  test('give all of each in its order, the same for the same seed', async () => {
    const streams = () => [streamOf('abcdefgh'), streamOf('XYZ'), streamOf('')];
    const first = await read(streams(), 1);
    expect(first.replace(/[A-Z]/g, '')).toBe('abcdefgh');
    expect(first.replace(/[a-z]/g, '')).toBe('XYZ');
    expect(await read(streams(), 1)).toBe(first);
    const others = await Promise.all([2, 3, 4, 5].map((seed) => read(streams(), seed)));
    expect(new Set(others).size).toBeGreaterThan(1);
  });

  test('are spread over each other, not one after the other', async () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 600; seed++) {
      const text = await read([streamOf('ab'), streamOf('X')], seed);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['Xab', 'aXb', 'abX']);
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(60);
  });

  test('find out a stream that breaks off at its end', async () => {
    const broken = new Error('cut off');
    await expect(read([streamOf('ab'), streamOf('XY', broken)], 1)).rejects.toThrow(broken);
  });

  test('are ended with their reader', async () => {
    const streams = [streamOf('ab'), streamOf('XY')];
    for await (const _ of interleaved(streams, 1)) break;
    for (const { values } of streams) expect((await values.next()).done).toBe(true);
  });
});
