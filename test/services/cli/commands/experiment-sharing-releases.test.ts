import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SharingResult } from '../../../../study/sharing-result.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(11, 1);
const { at } = site;
const shared = () => [
  ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--config', at('config.json')],
];

beforeAll(async () => {
  const commands = [
    ['corpus', 'split', at('notes'), at('a.jsonl'), at('b.jsonl'), '--documents', '5'],
    ['train', 'certified', at('a.jsonl'), ...shared(), '--out', at('run')],
    ['experiment', 'freeze', at('run'), '--out', at('frozen'), '--name', 'small'],
  ];
  for (const command of commands) expect((await capturedRun(...command)).exit).toBe(0);
});

async function sharing(...args: string[]) {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'sharing', ...shared()],
    ...['--provider', `north=${at('a.jsonl')}`, '--site', `south=${at('b.jsonl')}`],
    ...['--unseen', `west=${at('unseen')}`, '--representation', `small=${at('frozen/small')}`],
    ...['--common-forms', 'en', ...args],
  );
  return { exit, stderr, results: (JSON.parse(stdout || '{}').results ?? []) as SharingResult[] };
}

describe('releases that are shared', () => {
  test('of replaced notes are not taken from the file of those of notes as they are', async () => {
    const out = at('apart');
    const name = 'released small-seed-1.float16';
    await mkdir(out);
    await writeFile(path.join(out, name), Buffer.alloc(64));
    const only = ['--out', out, '--only'];
    expect((await sharing(...only, 'replaced and released')).exit).toBe(0);
    expect((await readdir(out)).filter((file) => file.endsWith('.float16'))).toEqual([name]);
    const refused = await sharing(...only, 'released');
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain('releases of another representation; remove it');
  });
});
