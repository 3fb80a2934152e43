import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const { at } = corpusSite(12, 3);

async function split(seed: number, count = 5) {
  const [drawn, others] = [at(`drawn-${seed}-${count}.jsonl`), at(`others-${seed}-${count}.jsonl`)];
  const { exit, stderr } = await capturedRun(
    ...['corpus', 'split', at('notes'), drawn, others],
    ...['--documents', `${count}`, '--seed', `${seed}`],
  );
  const read = async (file: string) =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { exit, stderr, drawn: await read(drawn), others: await read(others) };
}

describe('tacet corpus split', () => {
  test('parts a corpus by document, by a seed', async () => {
    const [one, two] = [await split(1), await split(2)];
    expect([one.drawn.length, one.others.length]).toEqual([5, 4]);
    expect(new Set([...one.drawn, ...one.others]).size).toBe(9);
    expect([...two.drawn, ...two.others].sort()).toEqual([...one.drawn, ...one.others].sort());
    expect(two.drawn).not.toEqual(one.drawn);
  });

  test('leaves documents on both sides, or says that it cannot', async () => {
    const { exit, stderr, drawn } = await split(1, 9);
    expect([exit, stderr, drawn]).toEqual([2, expect.stringContaining('leave none'), []]);
  });
});
