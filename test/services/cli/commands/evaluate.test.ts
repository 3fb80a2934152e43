import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readCorpus } from '../../../../models/text/corpus/read-corpus.js';

const main = fileURLToPath(new URL('../../../../services/cli/main.js', import.meta.url));

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function tacet(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

let directory: string;
const at = (name: string) => join(directory, name);
const generate = (out: string, ...more: string[]) =>
  tacet('corpus', 'generate', at(out), '--documents', '12', '--seed', '5', ...more);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tacet-evaluate-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

describe('tacet corpus generate', () => {
  test('writes the same notes in every format, and never over an older file', async () => {
    for (const format of ['jsonl', 'i2b2', 'brat']) {
      const { status, stdout } = await generate(format, '--format', format);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^12 notes written/)]);
    }
    const read = async (name: string) => {
      const documents = [];
      for await (const document of readCorpus(at(name))) documents.push(document);
      return documents.sort((a, b) => (a.id < b.id ? -1 : 1));
    };
    await writeFile(at('notes.jsonl'), await readFile(at('jsonl')));
    const notes = await read('notes.jsonl');
    expect(notes).toHaveLength(12);
    expect(await read('i2b2')).toEqual(notes);
    expect(await read('brat')).toEqual(notes);
    expect(await generate('jsonl')).toMatchObject({ status: 3, stdout: '' });
  });

  test('refuses more institutions than there are as wrong usage', async () => {
    const { status, stderr } = await generate('none', '--institutions', '99');
    expect(status).toBe(2);
    expect(stderr).toMatch(/Expected a whole number from 1 to 6/);
  });
});

describe('tacet evaluate', () => {
  test('prints a table, and the evaluation as JSON', async () => {
    const both = ['--gold', at('i2b2'), '--system', at('brat')];
    const table = await tacet('evaluate', ...both);
    expect(table.status).toBe(0);
    expect(table.stdout).toMatch(/: 12 documents, too few to be sure of$/m);
    expect(table.stdout).toMatch(/token, binary( +100\.00 +\(\d\d\.\d\d-100\.00\)){3}/);
    const json = await tacet('evaluate', ...both, '--json', '--scheme', 'hipaa-binary');
    const evaluation = JSON.parse(json.stdout);
    expect(evaluation).toMatchObject({ documents: 12, leakage: { leakedCharacters: 0 } });
    expect(Object.keys(evaluation.token.perType)).toEqual(['PHI']);
  });

  test('prints the official reports, and the leak of MEDDOCAN for a number of sentences', async () => {
    const both = ['--gold', at('i2b2'), '--system', at('brat')];
    const i2b2 = await tacet('evaluate', ...both, '--report', 'i2b2');
    expect(i2b2.stdout).toMatch(/^Token \(12\) +Measure +Macro \(SD\) +Micro \(Primary\) +\n-+\n/);
    const meddocan = await tacet('evaluate', ...both, '--report', 'meddocan', '--sentences', '9');
    expect(meddocan.stdout).toMatch(/^Subtask1_Leak : 0\.0\nSubtask1_Precision : 1\.0\n/);
  });

  test('tests two systems against each other', async () => {
    const lines = (await readFile(at('notes.jsonl'), 'utf8')).trim().split('\n');
    const poor = lines.map((line) => JSON.stringify({ ...JSON.parse(line), spans: [] }));
    await writeFile(at('poor.jsonl'), poor.join('\n'));
    const all = ['--gold', at('i2b2'), '--system', at('brat'), '--versus', at('poor.jsonl')];
    const { stdout } = await tacet('evaluate', ...all, '--trials', '99', '--json');
    const recall = JSON.parse(stdout).compared.find(
      ({ measure }: { measure: string }) => measure === 'token.binary.recall',
    );
    expect(recall).toMatchObject({ system: 1, versus: 0, difference: 1 });
    expect(recall.p).toBeLessThan(0.05);
  });

  test('refuses a second system beside a report, which is of one', async () => {
    const all = ['--gold', at('i2b2'), '--system', at('brat'), '--versus', at('poor.jsonl')];
    const { status, stderr } = await tacet('evaluate', ...all, '--report', 'meddocan');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/usage: --versus: .*meddocan/)]);
  });

  test('writes a page of errors for its owner alone, and none after a failure', async () => {
    const all = ['--gold', at('i2b2'), '--system', at('poor.jsonl'), '--html', at('errors.html')];
    const { status, stdout, stderr } = await tacet('evaluate', ...all, '--resamples', '9');
    expect(status).toBe(0);
    const page = await readFile(at('errors.html'), 'utf8');
    expect(page).toContain('12 of 12 documents have errors');
    expect((await stat(at('errors.html'))).mode & 0o777).toBe(0o600);
    const [, name = ''] = /class="missed">([A-Za-z]{4,})/.exec(page) ?? [];
    expect(name).not.toBe('');
    expect(stdout + stderr).not.toContain(name);
    const failed = await tacet(
      'evaluate',
      ...all.slice(0, 3),
      at('i2b2/none'),
      '--html',
      at('no.html'),
    );
    expect(failed.status).toBe(3);
    expect((await readdir(directory)).filter((file) => file.startsWith('no.html'))).toEqual([]);
  });

  test('writes no page over another file, and reads nothing first', async () => {
    const notes = await readFile(at('notes.jsonl'), 'utf8');
    const gold = ['--gold', at('absent'), '--system', at('brat')];
    const { status, stderr } = await tacet('evaluate', ...gold, '--html', at('notes.jsonl'));
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^tacet: file-exists: .*notes/)]);
    expect(await readFile(at('notes.jsonl'), 'utf8')).toBe(notes);
  });

  test('tells by their numbers gold documents that the system lacks, in one line', async () => {
    const [first] = (await readFile(at('notes.jsonl'), 'utf8')).split('\n');
    await writeFile(at('one.jsonl'), `${first}\n`);
    const { status, stderr } = await tacet(
      'evaluate',
      '--gold',
      at('i2b2'),
      '--system',
      at('one.jsonl'),
    );
    expect(status).toBe(3);
    expect(stderr).toMatch(
      /^tacet: corpus-invalid: 11 of 12 gold documents .*and 6 more in the order of the gold standard\n$/,
    );
  });

  test('ends a missing file, an unknown type and a bad seed with their exit statuses', async () => {
    const missing = await tacet('evaluate', '--gold', at('no'), '--system', at('no'));
    expect([missing.status, missing.stderr.split('\n').length]).toEqual([3, 2]);
    const both = ['--gold', at('i2b2'), '--system', at('brat')];
    const scheme = { name: 'other', version: '1', description: '', types: ['X'], map: {} };
    await writeFile(at('scheme.json'), JSON.stringify(scheme));
    const types = await tacet('evaluate', ...both, '--scheme', at('scheme.json'));
    expect([types.status, types.stderr.split('\n').length]).toEqual([3, 2]);
    const seed = await tacet('evaluate', ...both, '--seed', '-1');
    expect(seed.status).toBe(2);
  });
});
