import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SharingResult } from '../../../../study/sharing/sharing-result.js';
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

const PUBLIC_FORMS = ['--common-forms', 'en'];

async function sharing(...args: string[]) {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'sharing', ...shared()],
    ...['--provider', `north=${at('a.jsonl')}`, '--site', `south=${at('b.jsonl')}`],
    ...['--unseen', `west=${at('unseen')}`, '--representation', `small=${at('frozen/small')}`],
    ...args,
  );
  return { exit, stderr, results: (JSON.parse(stdout || '{}').results ?? []) as SharingResult[] };
}

describe('releases that are shared', () => {
  test('of replaced notes are not taken from the file of those of notes as they are', async () => {
    const out = at('apart');
    const name = 'released small-seed-1.float16';
    await mkdir(out);
    await writeFile(path.join(out, name), Buffer.alloc(64));
    const only = [...PUBLIC_FORMS, '--out', out, '--only'];
    expect((await sharing(...only, 'replaced and released')).exit).toBe(0);
    expect((await readdir(out)).filter((file) => file.endsWith('.float16'))).toEqual([name]);
    const refused = await sharing(...only, 'released');
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain('releases of another representation; remove it');
  });
});

describe('a network of own text', () => {
  test('stays where it is, alone, beside what is shared, or learning from that too', async () => {
    const beside = 'replaced and released beside own text';
    const inOne = 'replaced and released with own text';
    const { exit, results } = await sharing(
      ...[...PUBLIC_FORMS, '--out', at('beside'), '--only'],
      `own text,own text twice,replaced and released,${beside},${inOne}`,
    );
    expect(exit).toBe(0);
    const byRow = Object.fromEntries(results.map((result) => [result.row, result]));
    const released = byRow['replaced and released small'] as SharingResult;
    for (const row of [beside, inOne])
      expect(byRow[`${row} small`]).toMatchObject({
        ...{ bytes: released.bytes, told: released.told, rounds: 1 },
        leaves: released.leaves,
      });
    // What a place's own network read of its text does not outlast it.
    expect((await readdir(at('beside'))).filter((file) => file.endsWith('.float16'))).toEqual([]);
    for (const row of ['own text', 'own text twice'])
      expect(byRow[row]).toMatchObject({ bytes: 0, rounds: 0, leaves: 'nothing', told: null });
    for (const { sites } of results) expect(Object.keys(sites)).toEqual(['south', 'west']);
  });
});

describe('copies of notes', () => {
  const WAYS = 'text,replaced text,replaced and released';
  const copied = (out: string, only: string, ...copies: string[]) =>
    sharing(...PUBLIC_FORMS, '--out', at(out), '--only', only, ...copies);
  const bytesOf = (results: readonly SharingResult[]) => results.map(({ bytes }) => bytes);

  test('leave as often as they are asked for where entities are replaced, and once as they are', async () => {
    const once = await copied('once', WAYS);
    const thrice = await copied('thrice', WAYS, '--copies', '3');
    expect([once.exit, thrice.exit]).toEqual([0, 0]);
    const [text, replaced, released] = bytesOf(once.results) as [number, number, number];
    expect(bytesOf(thrice.results)).toEqual([text, 3 * replaced, 3 * released]);
  });

  test("of the provider's notes leave nowhere, and are encoded where something is released", async () => {
    const once = await copied('once', WAYS);
    const often = await copied('often', WAYS, '--provider-copies', '2');
    expect(often.exit).toBe(0);
    expect(bytesOf(often.results)).toEqual(bytesOf(once.results));
  });

  test('are part of what a result rests on, as far as its way makes them', async () => {
    expect((await copied('once', WAYS)).exit).toBe(0);
    expect((await copied('once', 'text', '--copies', '3', '--provider-copies', '2')).exit).toBe(0);
    expect((await copied('once', 'replaced text', '--provider-copies', '2')).exit).toBe(0);
    const refused = await copied('once', 'replaced text', '--copies', '2');
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('other copies')]);
  });

  test.each(['--copies', '--provider-copies'])('of %s are one or more', async (option) => {
    const { exit, stderr } = await copied('none', 'text', option, '0');
    expect([exit, stderr]).toEqual([2, expect.stringContaining(option)]);
  });
});

describe('copies of text with other entities', () => {
  test('are learned from as far as the configuration draws them, and leave nowhere', async () => {
    const ways = 'own text,replaced and released with own text,round robin,averaging';
    const config = JSON.parse(await readFile(at('config.json'), 'utf8'));
    const drawing = { ...config, augmentation: { replaced: 1, drawn: 3 } };
    await writeFile(at('drawing.json'), JSON.stringify(drawing));
    const plain = await sharing(...PUBLIC_FORMS, '--out', at('plain'), '--only', ways);
    const drawn = await sharing(
      ...[...PUBLIC_FORMS, '--config', at('drawing.json'), '--out', at('drawn'), '--only', ways],
    );
    expect([plain.exit, drawn.exit]).toEqual([0, 0]);
    const [before, after] = [plain, drawn].map(({ results }) =>
      results.map(({ row, bytes, leaves }) => ({ row, bytes, leaves })),
    );
    expect(after).toEqual(before);
    const scores = (results: readonly SharingResult[]) => results.map(({ sites }) => sites);
    for (const [i, sites] of scores(drawn.results).entries())
      expect(sites).not.toEqual(scores(plain.results)[i]);
  });
});

describe('entities of a list', () => {
  /** A place whose notes have a type that the provider's and the common forms lack. */
  const listed = async (...args: string[]) => {
    const about = { name: 'listed', version: '1', description: 'Names of one kind.' };
    const scheme = { ...about, types: ['NICKNAME', 'TOWN'], map: {} };
    await writeFile(at('scheme.json'), JSON.stringify(scheme));
    const spans = [{ start: 8, end: 14, label: 'NICKNAME' }];
    const town = [{ start: 8, end: 11, label: 'TOWN' }];
    const line = (id: number) =>
      JSON.stringify({ id: `${id}`, text: 'Seen by Stumpy today.', spans });
    const plain = (id: number) =>
      JSON.stringify({ id: `${id}`, text: 'Seen in Ely.', spans: town });
    await writeFile(at('named.jsonl'), [1, 2, 3, 4].map(line).join('\n'));
    await writeFile(at('plain.jsonl'), [5, 6, 7].map(plain).join('\n'));
    return capturedRun(
      ...['--json', 'experiment', 'sharing', '--embeddings', at('words.vec')],
      ...['--scheme', at('scheme.json'), '--config', at('config.json'), '--out', at('listed')],
      ...['--provider', `north=${at('plain.jsonl')}`, '--site', `south=${at('named.jsonl')}`],
      ...['--only', 'replaced text', ...args],
    );
  };

  test('stand for those of a type that is nowhere else', async () => {
    const without = await listed();
    expect([without.exit, without.stderr]).toEqual([
      4,
      expect.stringContaining('no entities of type NICKNAME'),
    ]);
    await writeFile(at('names.txt'), 'Lefty\nShorty\n');
    const list = ['--list', `NICKNAME=${at('names.txt')}`];
    const { exit, stdout } = await listed(...list);
    expect(exit).toBe(0);
    const [result] = JSON.parse(stdout).results as SharingResult[];
    // Five or six letters in the place of six, in each of three notes that are learned from.
    expect(result?.bytes).toBeGreaterThanOrEqual(3 * 20);
    expect(result?.bytes).toBeLessThanOrEqual(3 * 21);
    await writeFile(at('names.txt'), 'Slim\n');
    const changed = await listed(...list);
    expect([changed.exit, changed.stderr]).toEqual([2, expect.stringContaining('other sources')]);
  });

  test.each([
    ['without a type', 'names.txt', 2, 'expected TYPE=FILE'],
    ['of no file', 'NICKNAME=nowhere.txt', 3, 'nowhere.txt: there is no such file'],
  ])('%s are refused', async (_, stated, status, says) => {
    const { exit, stderr } = await listed('--list', stated);
    expect([exit, stderr]).toEqual([status, expect.stringContaining(says)]);
  });
});
