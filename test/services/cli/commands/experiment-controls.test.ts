import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { ControlResults } from '../../../../study/controls/controls.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(30, 8);
const { at } = site;

const controls = async (...args: string[]) => {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'controls', '--corpus', at('notes'), '--held-out', at('unseen')],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic'],
    ...['--config', at('config.json'), '--out', at('out'), ...args],
  );
  return { exit, stderr, found: JSON.parse(stdout || '{}') as ControlResults };
};

describe('tacet experiment controls', () => {
  test('shows that fixed noise hides words only where it is as large as the vectors themselves', async () => {
    const { exit, found } = await controls(
      '--only',
      'noise',
      '--factors',
      '0,1,20',
      '--words',
      '60',
    );
    expect(exit).toBe(0);
    const [none, some, most] = found.noise;
    expect(none).toMatchObject({ nearest: 1, amongTen: 1 });
    expect(none?.cosine).toBeCloseTo(1, 5);
    expect(some?.nearest).toBeGreaterThan(most?.nearest ?? 1);
    expect(most?.nearest).toBeLessThan(0.5);
  });

  test('has an adversary for each data and task, which stays at chance where noise alone is released', async () => {
    const { exit, found } = await controls('--only', 'adversaries', '--epochs', '2');
    expect(exit).toBe(0);
    expect(found.adversaries.map(({ data, task }) => `${data} ${task}`)).toEqual(
      ['random words', 'word vectors', 'noise alone'].flatMap((data) => [
        `${data} T1`,
        `${data} T2`,
      ]),
    );
    for (const { data, accuracy } of found.adversaries) {
      const [low, high] = accuracy.interval;
      if (data === 'noise alone') expect([low <= 0.5, high >= 0.5]).toEqual([true, true]);
    }
  });

  test('counts neighbours that contain the word, and puts documents together again', async () => {
    const { exit, found } = await controls('--only', 'neighbours,joining');
    expect(exit).toBe(0);
    expect(found.neighbours).toMatchObject({ N: 5 });
    const [nothing, token, document] = found.joining;
    expect(nothing?.movedBy).toBe('nothing');
    expect(nothing?.named.value).toBe(1);
    expect(nothing?.joined.value).toBeGreaterThan(nothing?.chance ?? 1);
    expect(token?.named.value).toBeGreaterThan(document?.named.value ?? 1);
  });

  test('refuses notes that it learns from among those that it measures on', async () => {
    const { exit, stderr } = await controls('--held-out', at('notes'));
    expect(exit).toBe(3);
    expect(stderr).toContain('22 of the held-out documents are among those of training');
  });

  test('has no adversary where held-out notes have no PHI to move, and says so', async () => {
    await writeFile(at('bare.jsonl'), JSON.stringify({ id: 'bare', text: 'none.', spans: [] }));
    const { exit, stderr } = await controls(
      ...['--held-out', at('bare.jsonl'), '--only', 'adversaries', '--out', at('bare')],
    );
    expect(exit).toBe(3);
    expect(stderr).toContain('no sentence of the held-out notes has PHI that can move');
  });

  test('measures nothing twice, and refuses to take what was measured otherwise', async () => {
    const first = await controls('--only', 'joining');
    const files = await readdir(at('out'));
    const again = await controls('--only', 'joining');
    expect(again.found).toEqual(first.found);
    expect(await readdir(at('out'))).toEqual(files);
    const { exit, stderr } = await controls('--only', 'joining', '--words', '7');
    expect(exit).not.toBe(0);
    expect(stderr).toContain('words');
  });
});
