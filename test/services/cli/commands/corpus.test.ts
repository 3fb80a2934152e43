import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createProgram } from '../../../../services/cli/program.js';
import { run } from '../../../../services/cli/run.js';
import { TemporaryFiles } from '../../../models/text/corpus/temporary-files.js';

const files = new TemporaryFiles();
let out = '';
let err = '';

beforeEach(() => {
  out = '';
  err = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  process.removeAllListeners('SIGINT');
  process.removeAllListeners('SIGTERM');
});
afterAll(() => files.remove());

const tacet = (...args: string[]) => run(createProgram, ['node', 'tacet', ...args]);

const good = '{"text":"Seen by Ann.","spans":[{"start":8,"end":11,"label":"DOCTOR"}]}';

const odd =
  '{"text":"Rex ate it","spans":[{"start":4,"end":7,"label":"SHOE"},{"start":0,"end":3,"label":"PET"}]}';

describe('tacet corpus', () => {
  test('check says how many documents are sound', async () => {
    const directory = files.write({ 'a.jsonl': good });
    expect(await tacet('--json', 'corpus', 'check', directory, '--scheme', 'i2b2-2014')).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ documents: 1, spans: 1, bad: 0, problems: [] });
  });

  test('check lists every bad document and ends with status 3', async () => {
    const directory = files.write({ 'a.jsonl': `${good}\n{\n{}`, 'b.xml': '<a>' });
    expect(await tacet('corpus', 'check', directory)).toBe(3);
    expect(out).toMatch(
      /a\.jsonl:2: .*\n.*a\.jsonl:3: .*\n.*b\.xml:1:3: .*\n.*boundaries\n1 documents .* 3 are not/,
    );
    expect(err).toMatch(/^tacet: corpus-invalid: .*3 documents are malformed\n$/);
  });

  test('check names every type that a scheme lacks', async () => {
    const directory = files.write({ 'a.jsonl': `${good}\n${odd}` });
    expect(await tacet('corpus', 'check', directory, '--scheme', 'meddocan')).toBe(3);
    expect(err).toMatch(
      /^tacet: label-unknown: .* \(first at \S+a\.jsonl:2\): .* has no PET, SHOE; /,
    );
  });

  test('check lists the span boundaries within tokens by document and offset, and remarks', async () => {
    const directory = files.write({
      'n7.txt': 'Seen by Ann.',
      'n7.ann': 'T1\tDOCTOR 8 10\tAn\nR1\tOf Arg1:T1\n#1\tAnnotatorNotes T1\tsure',
    });
    expect(await tacet('corpus', 'check', directory)).toBe(0);
    expect(out).toMatch(/^n7: the span boundary at 10 is not a token boundary\n1 relations, .*\n/);
    out = '';
    expect(await tacet('--json', 'corpus', 'check', directory)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      boundariesWithinTokens: 1,
      cutTokens: [{ document: 'n7', offset: 10 }],
      remarks: { relations: 1, notes: 1 },
    });
  });

  test('stats counts documents, tokens and types', async () => {
    const directory = files.write({ 'a.jsonl': `${good}\n${good}` });
    expect(await tacet('--json', 'corpus', 'stats', directory)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      documents: 2,
      sentences: 2,
      tokens: 8,
      boundariesWithinTokens: 0,
      types: { DOCTOR: 2 },
    });
  });

  test('stats says how much of a corpus stands in another one', async () => {
    const note = (what: string) =>
      JSON.stringify({
        text: `She was seen again by the ${what} who wrote at length that nothing had changed since.`,
      });
    const [held, learned] = [
      ['surgeon', 'nurse'],
      ['nurse', 'dentist'],
    ].map((whats, i) =>
      join(files.write({ [`${i}.jsonl`]: whats.map(note).join('\n') }), `${i}.jsonl`),
    ) as [string, string];
    expect(await tacet('--json', 'corpus', 'stats', held, '--against', learned)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      documents: 2,
      standingElsewhere: { sentences: 2, found: 1 },
    });
    out = '';
    expect(await tacet('corpus', 'stats', held, '--against', learned)).toBe(0);
    expect(out).toContain('word for word in the other corpus: 50.0 % of 2');
  });

  test('convert keeps documents and spans, and skips bad ones when asked to', async () => {
    const directory = files.write({ 'a.jsonl': `${good}\n{` });
    const target = files.fresh('brat');
    expect(await tacet('corpus', 'convert', directory, target, '--to', 'brat')).toBe(3);
    const again = files.fresh('brat');
    const args = ['convert', directory, again, '--to', 'brat', '--skip-bad'];
    expect(await tacet('corpus', ...args)).toBe(0);
    expect(err).toMatch(/bad documents skipped: 1/);
    const file = join(files.fresh('b.jsonl'));
    expect(await tacet('corpus', 'convert', again, file, '--to', 'jsonl')).toBe(0);
    out = '';
    expect(await tacet('--json', 'corpus', 'stats', file)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ documents: 1, types: { DOCTOR: 1 } });
  });

  test('convert into files that two documents would share writes nothing and names both places', async () => {
    const line = '{"id":"Ann Lee","text":"She slept."}';
    const directory = files.write({ 'a.jsonl': `${good}\n${line}`, 'b.jsonl': `\n${line}` });
    const target = files.fresh('out');
    const args = ['corpus', 'convert', directory, target, '--skip-bad', '--to'];
    expect(await tacet(...args, 'text')).toBe(3);
    expect(err).toMatch(
      /^tacet: corpus-invalid: \S+b\.jsonl:2: has the id of \S+a\.jsonl:2, .*rename/,
    );
    expect(err).not.toContain('Ann');
    expect(existsSync(target)).toBe(false);
    expect(await tacet(...args, 'jsonl')).toBe(0);
  });

  test('convert maps types to a scheme, and writes nothing where some are unknown', async () => {
    const directory = files.write({ 'a.jsonl': `${good}\n${odd}` });
    const target = files.fresh('out.conll');
    const args = ['corpus', 'convert', directory, target, '--to', 'conll', '--scheme', 'meddocan'];
    expect(await tacet(...args)).toBe(3);
    expect(err).toMatch(/has no PET, SHOE; /);
    expect(existsSync(target)).toBe(false);
    expect(await tacet('--json', ...args, '--drop-unmapped', '--tags', 'bioes')).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ documents: 2, dropped: { PET: 1, SHOE: 1 } });
    expect(readFileSync(target, 'utf8')).toContain('\nAnn S-NOMBRE_PERSONAL_SANITARIO\n');
  });

  test.each([
    [['corpus', 'convert', 'a', 'b', '--to', 'tsv', '--drop-unmapped'], 2],
    [['corpus', 'convert', 'a', 'b'], 2],
    [['corpus', 'convert', 'a', 'b', '--to', 'pdf'], 2],
    [['corpus', 'check', 'no-such-path'], 3],
    [['corpus', 'check', '.', '--scheme', 'no-such-scheme'], 3],
    [['corpus', 'check', '--unknown'], 2],
  ])('%j ends with one line and status %i', async (args, status) => {
    expect(await tacet(...args)).toBe(status);
    expect(err).toMatch(/^tacet: [^\n]+\n$/);
  });

  test('generate states how each invented institution writes, for an inventory of its surrogates', async () => {
    const directory = files.write({});
    const [forms, notes] = [join(directory, 'forms'), join(directory, 'notes.jsonl')];
    const generate = ['corpus', 'generate', notes, '--documents', '4', '--institutions', '2'];
    expect(await tacet(...generate, '--own-forms', forms)).toBe(0);
    expect(out).toContain('harbour.json: own forms, names of en_GB, en_IN, pl');
    const house = JSON.parse(readFileSync(join(forms, 'harbour.json'), 'utf8'));
    expect(house.forms.MEDICALRECORD).toHaveLength(1);
    expect(existsSync(join(forms, 'north.json'))).toBe(true);
    expect(existsSync(join(forms, 'mesa.json'))).toBe(false);
    const create = ['inventory', 'create', join(directory, 'inventory.json')];
    const named = ['--scheme', 'synthetic', '--language', 'en'];
    const own = ['--own-forms', join(forms, 'harbour.json')];
    expect(await tacet(...create, ...named, ...own)).toBe(0);
    const another = generate.map((each) => (each === notes ? `${notes}.2` : each));
    expect(await tacet(...another, '--own-forms', forms)).not.toBe(0);
    expect(err).toContain('choose another --own-forms');
    expect(existsSync(`${notes}.2`)).toBe(false);
  });
});
