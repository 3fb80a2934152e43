import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Matrix } from '../../../../services/workflows/train/matrix-comparison.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(40, 4);
const { at } = site;

beforeAll(async () => {
  await capturedRun(
    'corpus',
    'split',
    at('notes'),
    at('a.jsonl'),
    at('b.jsonl'),
    '--documents',
    '18',
  );
  const train = await capturedRun(
    ...['train', 'certified', at('a.jsonl'), '--config', at('config.json')],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--out', at('run')],
  );
  expect(train.exit).toBe(0);
  await capturedRun('experiment', 'freeze', at('run'), '--out', at('frozen'), '--name', 'small');
});

const matrix = async (...args: string[]) => {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'matrix', '--site', `south=${at('b.jsonl')}`],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--config', at('config.json')],
    ...['--neighbours', '5', '--out', at('out'), ...args],
  );
  return { exit, stderr, found: JSON.parse(stdout || '{}') as Matrix };
};

const WHOLE = ['--provider', 'north=', '--unseen', 'west=', '--representation', 'small='];
const wholeMatrix = (...args: string[]) => {
  const paths = [at('a.jsonl'), at('unseen'), at('frozen/small')];
  return matrix(...WHOLE.map((each, i) => (i % 2 ? each + paths[(i - 1) / 2] : each)), ...args);
};

describe('tacet experiment matrix', () => {
  test('measures every place alone, all text and all releases, in each place', async () => {
    const { exit, found } = await wholeMatrix();
    expect(exit).toBe(0);
    const names = found.rows.map(({ row }) => row);
    expect(names).toEqual(['alone north', 'alone south', 'text', 'released small']);
    const [north, south, text, released] = found.rows.map(({ sentences }) => sentences);
    expect([text, released]).toEqual([(north ?? 0) + (south ?? 0), text]);
    for (const { sites } of found.rows) {
      // The provider's notes are all learned from.
      expect(Object.keys(sites)).toEqual(['south', 'west']);
      expect(sites.west?.documents).toBe(4);
      expect(sites.west?.freeText.recall.value).toBeLessThanOrEqual(1);
    }
    const [{ representation, sites } = { representation: '', sites: {} }] = found.limits;
    expect([representation, Object.keys(sites)]).toEqual(['small', ['south', 'west']]);
    for (const { bound, maximum, pairs } of Object.values(sites)) {
      expect(pairs).toBeGreaterThan(0);
      expect(bound.value).toBeGreaterThanOrEqual(0.5);
      expect(maximum).toBeGreaterThanOrEqual(bound.value);
    }
  });

  test('measures nothing twice, and keeps no release', async () => {
    const first = await wholeMatrix();
    const again = await wholeMatrix();
    expect(again.found).toEqual(first.found);
    const kept = JSON.parse(await readFile(at('out/alone south-seed-1.json'), 'utf8'));
    expect(first.found.rows).toContainEqual(kept.result);
    const files = await readdir(at('out'));
    expect(files.filter((file) => file.endsWith('.float16'))).toEqual([]);
  });

  test('measures limits on the held-out documents of the seed that is asked for', async () => {
    const first = await wholeMatrix();
    const second = await wholeMatrix('--seeds', '2');
    expect(second.exit).toBe(0);
    expect(second.found.limits).not.toEqual(first.found.limits);
    expect((await wholeMatrix()).found.limits).toEqual(first.found.limits);
  });

  test('refuses what was measured with other settings, and names them', async () => {
    await wholeMatrix();
    const { exit, stderr } = await wholeMatrix('--held-out-share', '0.4');
    expect(exit).toBe(2);
    expect(stderr).toContain(
      '-seed-1.json: measured with other held-out share; name another --out',
    );
  });

  test.each([
    ['a held-out part of nobody', ['--held-out', 'east=x'], 'expected one of the places south'],
    ['a place whose name is a path', ['--unseen', '../x=y'], 'expected NAME=VALUE'],
    ['two places of one name', ['--unseen', 'south=x'], 'south is named twice'],
    ['seeds that are none', ['--seeds', 'all'], 'expected whole numbers'],
  ])('refuses %s', async (_what, args, problem) => {
    const { exit, stderr } = await matrix('--seeds', '9', ...args);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
