import { readdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PhiconResult } from '../../../../study/augmentation/phicon.js';
import type { PhiconLine } from '../../../../study/augmentation/phicon-table.js';
import { capturedRun } from '../captured-run.js';
import { corpusSite } from '../small-corpus.js';

const site = corpusSite(30, 4);
const { at } = site;

beforeAll(async () => {
  const parts = [at('notes'), at('a.jsonl'), at('b.jsonl'), '--documents', '18'];
  await capturedRun('corpus', 'split', ...parts);
  const train = await capturedRun(
    ...['train', 'certified', at('a.jsonl'), '--config', at('config.json')],
    ...['--embeddings', at('words.vec'), '--scheme', 'synthetic', '--out', at('run')],
  );
  expect(train.exit).toBe(0);
  await capturedRun('experiment', 'freeze', at('run'), '--out', at('frozen'), '--name', 'small');
});

interface Found {
  readonly results: readonly PhiconResult[];
  readonly lines: readonly PhiconLine[];
}

const phicon = async (...args: string[]) => {
  const { exit, stdout, stderr } = await capturedRun(
    ...['--json', 'experiment', 'phicon', '--train', `north=${at('a.jsonl')}`],
    ...['--test', `south=${at('b.jsonl')}`, '--embeddings', at('words.vec'), '--language', 'es'],
    ...['--config', at('config.json'), '--out', at('out'), '--least', '2', ...args],
  );
  return { exit, stderr, found: JSON.parse(stdout || '{}') as Found };
};

describe('tacet experiment phicon', () => {
  test('measures every row on the rest of its corpus and the whole of the other', async () => {
    const { exit, found } = await phicon('--alphas', '1', '--seeds', '1,2');
    expect(exit).toBe(0);
    const names = found.results.map(
      ({ row, share, alpha, seed }) => `${row} ${alpha} ${share} ${seed}`,
    );
    const rows = ['without 0', 'phi 1', 'context 1', 'both 1'];
    expect(names).toEqual([1, 2].flatMap((seed) => rows.map((row) => `${row} 1 ${seed}`)));
    for (const { row, augmented, sentences, notes, corpora } of found.results) {
      expect(augmented > 0).toBe(row !== 'without');
      expect(sentences).toBeGreaterThan(0);
      expect(notes).toBe(12);
      expect(corpora.north?.documents).toHaveLength(4);
      expect(corpora.south?.documents).toHaveLength(8);
    }
    const [without, ...others] = found.lines.filter(({ corpus }) => corpus === 'south');
    expect(without?.gain).toBeNull();
    for (const { gain, f1 } of others) {
      expect(f1.value - (without?.f1.value ?? 0)).toBeCloseTo(gain?.value ?? Number.NaN, 9);
      expect(gain?.bySeed).toHaveLength(2);
      expect(gain?.interval[0]).toBeLessThanOrEqual(gain?.interval[1] ?? -1);
    }
  });

  test('trains nothing twice', async () => {
    const first = await phicon('--rows', 'without', 'phi', '--alphas', '1');
    const files = await readdir(at('out'));
    const again = await phicon('--rows', 'without', 'phi', '--alphas', '1');
    expect(again.found).toEqual(first.found);
    expect(await readdir(at('out'))).toEqual(files);
    const kept = JSON.parse(await readFile(at('out/ours-phi-x1-100-seed-1.json'), 'utf8'));
    expect(first.found.results).toContainEqual(kept.result);
  });

  test('knows notes by what they hold, wherever they lie', async () => {
    const moved = async (file: string) =>
      phicon('--train', `north=${at(file)}`, '--rows', 'without', '--out', at('moved'));
    const notes = await readFile(at('a.jsonl'), 'utf8');
    await writeFile(at('elsewhere.jsonl'), notes);
    const first = await moved('a.jsonl');
    expect((await moved('elsewhere.jsonl')).found).toEqual(first.found);
    await writeFile(at('elsewhere.jsonl'), notes.split('\n').slice(1).join('\n'));
    const { exit, stderr } = await moved('elsewhere.jsonl');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('measured with other train;')]);
  });

  test('counts a training once that is named twice', async () => {
    const once = await phicon('--rows', 'without', 'phi', '--alphas', '1');
    const twice = await phicon(
      ...['--rows', 'without', 'phi', 'phi', '--alphas', '1', '--shares', '100,100'],
      ...['--taggers', 'ours', 'ours'],
    );
    expect(twice.found).toEqual(once.found);
  });

  test("trains NeuroNER's tagger as well", async () => {
    const { exit, found } = await phicon(
      ...['--taggers', 'neuroner', '--rows', 'phi', '--alphas', '1', '--shares', '30'],
    );
    expect(exit).toBe(0);
    const [result] = found.results;
    expect(result?.notes).toBe(4);
    expect(result?.bestEpoch).toBeLessThanOrEqual(result?.epochs ?? 0);
    expect(result?.corpora.south?.documents).toHaveLength(8);
  });

  test('has a de-identifier learn from releases of the notes and of augmented sentences', async () => {
    const { exit, found } = await phicon(
      ...['--taggers', 'ours', 'released', '--representation', at('frozen/small')],
      ...['--rows', 'without', 'both', '--alphas', '1'],
    );
    expect(exit).toBe(0);
    const counts = found.results.map((each) => [each.tagger, each.sentences, each.augmented]);
    const [, sentences] = counts[0] ?? [];
    const augmented = found.results[1]?.augmented ?? 0;
    expect(augmented).toBeGreaterThan(0);
    expect(counts).toEqual([
      ['ours', sentences, 0],
      ['ours', sentences, augmented],
      ['released', sentences, 0],
      ['released', sentences, augmented],
    ]);
    const files = await readdir(at('out'));
    expect(files).toContain('released-both-x1-100-seed-1.json');
    expect(files.filter((file) => file.endsWith('.float16'))).toEqual([]);
    const lines = found.lines.filter(({ tagger }) => tagger === 'released');
    expect(lines.map(({ row, gain }) => [row, gain === null])).toEqual(
      ['north', 'south'].flatMap(() => [
        ['without', true],
        ['both', false],
      ]),
    );
  });

  test('learns from kept releases after an interruption, and only from those of its own sentences', async () => {
    const kept = at('out/released-without-100-seed-2.float16');
    await writeFile(kept, Buffer.alloc(2 * 8));
    const { exit, stderr } = await phicon(
      ...['--taggers', 'released', '--representation', at('frozen/small')],
      ...['--rows', 'without', '--seeds', '2'],
    );
    expect(exit).not.toBe(0);
    expect(stderr).toContain('holds other sentences than this run has');
  });

  test.each([
    ['releases that nothing makes', ['--taggers', 'released'], 'with --representation'],
    ['a representation that nobody uses', ['--representation', 'x'], 'with --taggers'],
    ['two corpora of one name', ['--test', 'north=x'], 'north is named twice'],
    ['a share over 100', ['--shares', '120'], 'from 1 to 100'],
    ['an α that is none', ['--alphas', '0'], 'from 1 to'],
    ['a seed that counts twice', ['--seeds', '1,2,1'], 'different whole numbers'],
    ['a row that there is not', ['--rows', 'all'], 'Allowed choices'],
  ])('refuses %s', async (_, args, message) => {
    const { exit, stderr } = await phicon(...args);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });

  test('refuses to measure on notes of the corpus that it learns from', async () => {
    const { exit, stderr } = await phicon(
      ...['--test', `all=${at('notes')}`, '--rows', 'without', '--out', at('seen')],
    );
    expect(exit).toBe(3);
    expect(stderr).toContain(
      '18 of the documents of all that are measured on are among those of training',
    );
  });

  test('refuses corpora of which no PHI is left to find', async () => {
    const args = ['--rows', 'without', '--out', at('none')];
    const rare = await phicon(...args, '--least', '9999');
    expect(rare.exit).toBe(3);
    expect(rare.stderr).toContain('north: no type of PHI has 9999 spans or more');
    await writeFile(at('bare.jsonl'), JSON.stringify({ id: 'bare', text: 'none.', spans: [] }));
    const bare = await phicon(...args, '--test', `bare=${at('bare.jsonl')}`);
    expect(bare.exit).toBe(3);
    expect(bare.stderr).toContain('bare: no type of PHI has 2 spans or more');
  });

  test('refuses other word vectors than those of the representation', async () => {
    const [first, ...others] = (await readFile(at('words.vec'), 'utf8')).split('\n');
    const [word, ...numbers] = (first as string).split(' ');
    const turned = [word, ...numbers.map((each) => -Number(each))].join(' ');
    await writeFile(at('others.vec'), [turned, ...others].join('\n'));
    const { exit, stderr } = await phicon(
      ...['--taggers', 'released', '--representation', at('frozen/small')],
      ...['--rows', 'without', '--embeddings', at('others.vec'), '--out', at('turned')],
    );
    expect(exit).not.toBe(0);
    expect(stderr).toContain('model-unsuitable');
  });

  test('refuses a configuration that augments by itself', async () => {
    const config = JSON.parse(await readFile(at('config.json'), 'utf8'));
    await writeFile(at('own.json'), JSON.stringify({ ...config, augmentation: { replaced: 1 } }));
    const { exit, stderr } = await phicon('--rows', 'without', '--config', at('own.json'));
    expect(exit).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'config-invalid' });
    expect(stderr).toContain('--rows, --alphas');
  });
});
