import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ArmResult } from '../../../../study/sharing/inventory-arms.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(36, 6);
const { at } = site;

beforeAll(async () => {
  const args = ['corpus', 'split', at('notes'), at('provider.jsonl'), at('north.jsonl')];
  await capturedRun(...args, '--documents', '15');
});

const inventories = async (...args: string[]) => {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'inventories', '--provider', at('provider.jsonl')],
    ...['--institution', `south=${at('unseen')}`, '--unseen', `north=${at('north.jsonl')}`],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--config', at('config.json')],
    ...['--language', 'en', '--out', at('out'), ...args],
  );
  return { exit, stderr, results: JSON.parse(stdout || '[]') as ArmResult[] };
};

describe('tacet experiment inventories', () => {
  test('scores each arm on held-out notes of each place', async () => {
    const only = [
      '--only',
      'alone,text,locale,describing-kept,own,copies',
      '--held-out-share',
      '0.5',
    ];
    await writeFile(at('house.json'), '{"forms": {"DATE": ["{weekday-en}"]}}');
    const stated = ['--locale', 'south=tr', '--own-forms', `south=${at('house.json')}`];
    const { exit, results } = await inventories(...only, ...stated);
    expect(exit).toBe(0);
    expect(results.map(({ arm, seed }) => `${arm} ${seed}`)).toEqual([
      ...['alone 1', 'text 1', 'locale 1', 'describing-kept 1', 'own 1', 'copies 1'],
    ]);
    for (const { sites } of results) {
      expect(sites.south?.documents).toBe(3);
      expect(sites.north?.documents).toBe(15);
      const recalls = Object.values(sites.south?.byType ?? {}).map(({ recall }) => recall);
      for (const recall of recalls) expect(recall).toBeLessThanOrEqual(1);
    }
    const [alone, , once, , , thrice] = results.map(({ sentences }) => sentences);
    expect((thrice ?? 0) - (alone ?? 0)).toBeGreaterThan(2 * ((once ?? 0) - (alone ?? 0)));
  });

  test('measures nothing twice, and keeps seeds in files of their own', async () => {
    const first = await inventories('--only', 'provider', '--seeds', '2,3');
    const again = await inventories('--only', 'provider', '--seeds', '3');
    expect(again.results).toEqual(first.results.slice(1));
    const kept = await readFile(at('out/provider-seed-2.json'), 'utf8');
    expect(JSON.parse(kept).result).toEqual(first.results[0]);
  });

  test('refuses a place that has documents of the provider', async () => {
    const { exit, stderr } = await inventories(
      ...['--unseen', `west=${at('provider.jsonl')}`, '--only', 'alone', '--out', at('seen')],
    );
    expect(exit).toBe(3);
    expect(stderr).toContain('15 of the documents of west that are measured on are among those');
  });

  test('refuses an institution that has documents of the provider, of which some were drawn', async () => {
    const twin = ['--institution', `east=${at('provider.jsonl')}`];
    const { exit, stderr } = await inventories(...twin, '--only', 'alone', '--out', at('twins'));
    expect(exit).toBe(3);
    expect(stderr).toContain('of the documents of east that are measured on are among those');
  });

  test.each([
    ['a locale of nobody', ['--locale', 'west=tr'], 'expected one of the institutions south'],
    ['forms of nobody', ['--own-forms', 'west=x.json'], 'expected one of the institutions south'],
    ['a place without notes', ['--unseen', 'west'], 'expected NAME=VALUE'],
    ['an unknown arm', ['--only', 'magic'], 'expected some of'],
  ])('refuses %s', async (_what, args, problem) => {
    const { exit, stderr } = await inventories('--seeds', '9', ...args);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
