import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { WayResult } from '../../../../study/sharing/ways.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(36, 3);
const { at } = site;

beforeAll(async () => {
  const args = ['corpus', 'split', at('notes'), at('public.jsonl'), at('theirs.jsonl')];
  await capturedRun(...args, '--documents', '20');
});

const ways = async (...args: string[]) => {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'ways', '--corpus', at('public.jsonl')],
    ...['--institutions', at('theirs.jsonl'), '--held-out', at('unseen')],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--config', at('config.json')],
    ...['--out', at('out'), ...args],
  );
  return { exit, stderr, results: JSON.parse(stdout || '[]') as WayResult[] };
};

describe('tacet experiment ways', () => {
  test('scores what a de-identifier learns of each way, on notes that nothing was trained on', async () => {
    const { exit, results } = await ways('--seeds', '2');
    expect(exit).toBe(0);
    const text = ['provider alone', 'text', 'replaced text'];
    expect(results.map(({ way, seed }) => [way, seed])).toEqual(
      [1, 2].flatMap((seed) => text.map((way) => [way, seed])),
    );
    for (const { scores } of results) expect(scores.documents).toBe(3);
    expect(JSON.parse(await readFile(at('out/ways.json'), 'utf8'))).toEqual(results);
    const [alone, all, replaced] = results.map(({ sentences }) => sentences);
    expect(all).toBeGreaterThan(alone as number);
    // Sentences are cut anew where entities are others.
    expect(replaced).toBeGreaterThan(alone as number);
  });

  test('replaces a note several times, and leaves out what is alike', async () => {
    const only = ['--only', 'replaced text'];
    const once = await ways(...only);
    const twice = await ways(...only, '--copies', '2', '--out', at('twice'));
    const few = await ways(...only, '--max-alike', '1', '--out', at('few'));
    const sentences = ({ results }: Awaited<ReturnType<typeof ways>>) => results[0]?.sentences ?? 0;
    expect(sentences(twice)).toBeGreaterThan(sentences(once));
    expect(sentences(few)).toBeLessThan(sentences(once));
  });

  test('measures nothing twice, and takes no result of other settings', async () => {
    const only = ['--only', 'provider alone,replaced text', '--out', at('kept')];
    const first = await ways('--only', 'provider alone', '--out', at('kept'));
    expect((await ways(...only)).results[0]).toEqual(first.results[0]);
    const { result } = JSON.parse(await readFile(at('kept/provider alone-seed-1.json'), 'utf8'));
    expect(result).toEqual(first.results[0]);
    const other = await ways(...only, '--copies', '2');
    expect([other.exit, other.stderr]).toEqual([
      2,
      expect.stringMatching(/replaced text-seed-1\.json: measured with other copies/),
    ]);
  });

  test('takes no pieces for those of one job that were counted over others, too', async () => {
    const trained = await capturedRun(
      ...['train', 'certified', at('public.jsonl'), '--config', at('config.json')],
      ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--out', at('run')],
    );
    expect(trained).toMatchObject({ exit: 0 });
    await capturedRun('experiment', 'freeze', at('run'), '--out', at('frozen'), '--name', 'small');
    const only = ['--only', 'released', '--label-documents', '2', '--frozen', at('frozen/small')];
    const split = ['corpus', 'split', at('theirs.jsonl'), at('one.jsonl'), at('two.jsonl')];
    await capturedRun(...split, '--documents', '6');
    expect(await ways(...only, '--out', at('jobs'))).toMatchObject({ exit: 0 });
    const apart = ['--institutions', at('one.jsonl'), at('two.jsonl')];
    const other = await ways(...only, '--out', at('jobs'), ...apart);
    expect([other.exit, other.stderr]).toEqual([2, expect.stringMatching(/other .*jobs/)]);
  });

  test('says what it cannot do', async () => {
    const unknown = await ways('--only', 'telepathy');
    expect([unknown.exit, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('expected some of'),
    ]);
    const learned = await ways('--held-out', at('theirs.jsonl'), '--out', at('learned'));
    expect([learned.exit, learned.stderr]).toEqual([
      3,
      expect.stringMatching(/corpus-invalid.*13 of the held-out documents are among those/),
    ]);
  });
});
