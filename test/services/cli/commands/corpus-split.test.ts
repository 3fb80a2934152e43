import { readFile, writeFile } from 'node:fs/promises';
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

  test('writes neither file where one is there already', async () => {
    await writeFile(at('taken.jsonl'), '');
    const { exit, stderr } = await capturedRun(
      ...['corpus', 'split', at('notes'), at('free.jsonl'), at('taken.jsonl')],
      ...['--documents', '5'],
    );
    expect([exit, stderr]).toEqual([3, expect.stringContaining('taken.jsonl: exists already')]);
    await expect(readFile(at('free.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('keeps together what one template made', async () => {
    const sample = (template: number) => ({
      ...{ full_text: `note ${template}`, spans: [], template_id: template },
    });
    await writeFile(at('made.json'), JSON.stringify([1, 2, 3, 1, 2, 3, 1, 2].map(sample)));
    const parts = [at('made.json'), at('two.jsonl'), at('rest.jsonl')];
    const drawn = await capturedRun('corpus', 'split', ...parts, '--documents', '4');
    expect(drawn.exit).toBe(0);
    const textsIn = async (file: string) =>
      (await readFile(at(file), 'utf8')).match(/note \d/g) as string[];
    const [two, rest] = [await textsIn('two.jsonl'), await textsIn('rest.jsonl')];
    expect(two.length).toBeGreaterThanOrEqual(4);
    expect(two.length + rest.length).toBe(8);
    expect(rest.some((text) => two.includes(text))).toBe(false);
    const free = [at('made.json'), at('seven.jsonl'), at('one.jsonl')];
    const most = await capturedRun('corpus', 'split', ...free, '--documents', '7');
    expect([most.exit, most.stderr]).toEqual([3, expect.stringContaining('of 3 origins')]);
  });
});
