import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { TacetError } from '../../../../proto/errors.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const xml = (text: string, tags = '') =>
  `<?xml version="1.0"?>\n<deIdi2b2><TEXT>${text}</TEXT><TAGS>${tags}</TAGS></deIdi2b2>`;
const tag = (start: number | string, end: number | string, text: string, type = 'PATIENT') =>
  `\n<NAME start="${start}" end="${end}" text="${text}" TYPE="${type}"/>`;

/** What the first document's spans cover. */
async function covered(contents: Record<string, string>, options = {}): Promise<string[]> {
  const [document] = await readAll(files.write(contents), options);
  return (document?.spans ?? []).map(({ type, start, end }) => {
    return `${type}=${document?.text.slice(start, end)}`;
  });
}

describe('readCorpus places spans exactly', () => {
  test.each([
    ['over CDATA beside text', xml('a <![CDATA[<b> ]]>Ann', tag(6, 9, 'Ann')), 'Ann'],
    ['over entities', xml('&lt;&amp;&#13;&#x1F600; Ann', tag(5, 8, 'Ann')), 'Ann'],
    ['over CRLF, which XML makes LF', xml('a\r\nb\r\nAnn', tag(4, 7, 'Ann')), 'Ann'],
    ['over a text with line breaks', xml('Ann\r\nLee', tag(0, 7, 'Ann Lee')), 'Ann\nLee'],
    ['in code points', xml('😀😀 Ann', tag(3, 6, 'Ann')), 'Ann'],
    ['in UTF-16 units where the texts say so', xml('😀😀 Ann', tag(5, 8, 'Ann')), 'Ann'],
    ['over combining marks', xml('Jose\u0301 Ann', tag(6, 9, 'Ann')), 'Ann'],
    ['behind a byte order mark', xml('\ufeffAnn', tag(1, 4, 'Ann')), 'Ann'],
    ['over comments', xml('An<!-- x -->n', tag(0, 3, 'Ann')), 'Ann'],
  ])('of XML %s', async (_, content, text) => {
    expect(await covered({ 'a.xml': content })).toEqual([`PATIENT=${text}`]);
    expect(await covered({ 'a.xml': `\ufeff${content}` })).toEqual([`PATIENT=${text}`]);
  });

  test.each([
    ['in code points', '😀 Ann', 'T1\tNAME 2 5\tAnn\n', ['NAME=Ann']],
    ['over CRLF counted as two', 'a\r\nAnn', 'T1\tNAME 3 6\tAnn\r\n', ['NAME=Ann']],
    ['over CRLF counted as one', 'a\r\nAnn', 'T1\tNAME 2 5\tAnn\n', ['NAME=Ann']],
    ['behind a counted byte order mark', '\ufeffAnn', 'T1\tNAME 1 4\tAnn\n', ['NAME=Ann']],
    ['behind an uncounted one', '\ufeffAnn', 'T1\tNAME 0 3\tAnn\n', ['NAME=Ann']],
    ['broken at a line end', 'Ann\nLee', 'T1\tNAME 0 3;4 7\tAnn Lee', ['NAME=Ann\nLee']],
    ['of separate fragments', 'Ann x Lee', 'T1\tNAME 0 3;6 9\tAnn Lee', ['NAME=Ann', 'NAME=Lee']],
    ['without their text', 'Ann', 'T1\tNAME 0 3', ['NAME=Ann']],
  ])('of brat %s', async (_, text, annotations, expected) => {
    expect(await covered({ 'a.txt': text, 'a.ann': annotations })).toEqual(expected);
  });

  test('of JSONL in code points, with offsets as numbers or strings', async () => {
    const spans = [
      { start: 2, end: 5, label: 'A' },
      { start: '6', end: '9', label: 'B' },
    ];
    const line = JSON.stringify({ text: '😀 Ann Lee', spans });
    expect(await covered({ 'a.jsonl': `\ufeff${line}\r\n` })).toEqual(['A=Ann', 'B=Lee']);
  });
});

describe('readCorpus', () => {
  test('names documents by file, by their own id, or by file and line', async () => {
    const directory = files.write({
      'x/b.xml': xml('b'),
      'x/a.txt': 'a',
      'c.jsonl': '{"text":"c"}\n\n{"text":"d","id":"n7"}\n{"text":"e","meta":{"note_id":9}}',
    });
    const ids = (await readAll(directory)).map((document) => [document.id, document.text]);
    expect(ids).toEqual([
      ['c-1', 'c'],
      ['n7', 'd'],
      ['9', 'e'],
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  test('sorts spans and keeps one that is stated twice once', async () => {
    const tags = tag(4, 7, 'Lee') + tag(0, 3, 'Ann', 'DOCTOR') + tag(4, 7, 'Lee');
    expect(await covered({ 'a.xml': xml('Ann Lee', tags) })).toEqual(['DOCTOR=Ann', 'PATIENT=Lee']);
  });

  test('takes the element name where a tag has no TYPE', async () => {
    const content = xml('Ann', '<PATIENT start="0" end="3" text="Ann"/>');
    expect(await covered({ 'a.xml': content })).toEqual(['PATIENT=Ann']);
  });

  test('reads a corpus that is there as xml and as brat once', async () => {
    const directory = files.write({
      'dev/xml/a.xml': xml('Ann'),
      'dev/brat/a.txt': 'Ann',
      'dev/brat/a.ann': 'T1\tNAME 0 3\tAnn',
    });
    expect(await readAll(directory)).toHaveLength(1);
    expect((await readAll(directory, { format: 'brat' }))[0]?.spans).toHaveLength(1);
    expect(await readAll(join(directory, 'dev', 'brat'))).toHaveLength(1);
  });

  test.each([
    ['a.txt', 'a.ANN'],
    ['a.TXT', 'a.ann'],
    ['a.Txt', 'a.Ann.GZ'],
  ])('finds the other half of brat in any case: %s beside %s', async (text, annotations) => {
    const directory = files.write({ [text]: 'Ann', [annotations]: 'T1\tNAME 0 3\tAnn' });
    for (const path of [directory, join(directory, text), join(directory, annotations)])
      expect((await readAll(path)).map(({ spans }) => spans.length)).toEqual([1]);
  });

  test('reads of two halves of brat the one in lower case, and none of another name', async () => {
    const annotations = { 'a.ANN': '', 'a.ann': 'T1\tNAME 0 3\tAnn' };
    const directory = files.write({ 'A.txt': 'Ann', 'a.txt': 'Ann', ...annotations });
    const documents = await readAll(directory);
    expect(documents.map(({ id, spans }) => [id, spans.length])).toEqual([
      ['A', 0],
      ['a', 1],
    ]);
  });

  test('tells formats of single files apart by their content', async () => {
    const directory = files.write({
      one: xml('Ann'),
      two: '{"text":"Ann"}',
      three: 'Ann',
      'four.txt': 'Ann',
      'four.ann': '',
    });
    for (const name of ['one', 'two', 'three', 'four.txt', 'four.ann'])
      expect((await readAll(join(directory, name)))[0]?.text).toBe('Ann');
  });

  test('leaves out hidden files, other extensions and formats that were not asked for', async () => {
    const directory = files.write({
      '.a.txt': 'x',
      'a.md': 'x',
      'a.txt': 'Ann',
      'b.xml': xml('b'),
    });
    expect(await readAll(directory)).toHaveLength(2);
    expect(await readAll(directory, { format: 'text' })).toHaveLength(1);
  });

  test('follows a link to a directory, and not in circles', async () => {
    const directory = files.write({ 'a.txt': 'x' });
    symlinkSync(directory, join(directory, 'again'));
    expect(await readAll(directory)).toHaveLength(1);
  });

  test('skips bad documents when asked to, and tells of each', async () => {
    const directory = files.write({
      'a.xml': '<a>',
      'b.jsonl': '{"text":"ok"}\n{"text"\n{"text":"ok too"}\n',
      'c.txt': Uint8Array.of(0xff),
      'd.ann': '',
    });
    const problems: TacetError[] = [];
    const documents = await readAll(directory, {
      skipBad: true,
      onBad: (error) => problems.push(error),
    });
    expect(documents.map((document) => document.text)).toEqual(['ok', 'ok too']);
    expect(problems.map((problem) => problem.code)).toEqual([
      'corpus-invalid',
      'corpus-invalid',
      'corpus-invalid',
      'file-not-found',
    ]);
  });

  test('skips files that cannot be read when asked to, and tells of each', async () => {
    const directory = files.write({ 'a.jsonl': '{"text":"ok"}', 'e.txt': 'ok too' });
    symlinkSync('nowhere', join(directory, 'b.txt'));
    symlinkSync('c.xml', join(directory, 'c.xml'));
    symlinkSync('nowhere', join(directory, 'd.md'));
    await expect(readAll(directory)).rejects.toMatchObject({
      code: 'file-not-found',
      message: expect.stringContaining('b.txt'),
    });
    const problems: string[] = [];
    const onBad = (error: TacetError) => problems.push(error.message);
    const documents = await readAll(directory, { skipBad: true, onBad });
    expect(documents.map((document) => document.text)).toEqual(['ok', 'ok too']);
    expect(problems).toEqual([
      expect.stringContaining('b.txt'),
      expect.stringContaining('c.xml: cannot be read (ELOOP)'),
    ]);
  });

  test('skips a note whose annotations are a pipe, which would never end', async () => {
    const directory = files.write({ 'a.txt': 'Ann', 'b.txt': 'ok' });
    execFileSync('mkfifo', [join(directory, 'a.ann')]);
    const problems: string[] = [];
    const onBad = (error: TacetError) => problems.push(error.message);
    expect(await readAll(directory, { skipBad: true, onBad })).toHaveLength(1);
    expect(problems).toEqual([expect.stringMatching(/a\.ann: a pipe, a socket or a device/)]);
    await expect(readAll(directory)).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new TacetError('interrupted', 'stopped'));
    const reading = readAll(files.write({ 'a.txt': 'x' }), { signal });
    await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('readCorpus refuses, without quoting the text,', () => {
  const secret = 'Zacarias';
  const line = (spans: unknown) => JSON.stringify({ text: `seen by ${secret}`, spans });
  const doctype = `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]>`;

  test.each([
    ['unclosed XML', 'a.xml', `<a><TEXT>${secret}`, /a\.xml:1:\d+: the XML is not well-formed/],
    ['a text that is not escaped', 'a.xml', xml(`<${secret}>`), /:2:\d+: an element within TEXT/],
    ['an unknown entity', 'a.xml', xml(`&${secret};`), /:2:\d+: the XML/],
    [
      'a document type',
      'a.xml',
      `${doctype}<a><TEXT>&e;</TEXT></a>`,
      /type declarations are refused/,
    ],
    ['XML without TEXT', 'a.xml', `<a>${secret}</a>`, /no TEXT element/],
    ['two TEXT elements', 'a.xml', `<a><TEXT/><TEXT>${secret}</TEXT></a>`, /second TEXT/],
    [
      'a span outside the text',
      'a.xml',
      xml(secret, tag(0, 9, secret)),
      /line 3: .* outside .* 8 char/,
    ],
    [
      'another text',
      'a.xml',
      xml(`x${secret}`, tag(0, 8, secret)),
      /line 3: .* differs from the text/,
    ],
    ['an offset that is no number', 'a.xml', xml(secret, tag('x', 8, secret)), /integer offsets/],
    ['a negative offset', 'a.xml', xml(secret, tag('-1', 8, secret)), /integer offsets/],
    ['an empty span', 'a.xml', xml(secret, tag(3, 3, '')), /3-3 is empty/],
    ['overlapping spans', 'a.xml', xml(secret, tag(0, 8, secret) + tag(0, 3, 'Zac')), /overlaps/],
    [
      'a type with spaces',
      'a.xml',
      xml(secret, tag(0, 8, secret, `${secret} x`)),
      /a type of 1 to 64/,
    ],
    ['JSON that is broken', 'a.jsonl', `{"text":"${secret}`, /a\.jsonl:1: expected a JSON object/],
    ['JSON without a text', 'a.jsonl', `{}\n{"note":"${secret}"}`, /a\.jsonl:1: .*'text'/],
    [
      'a fractional offset',
      'a.jsonl',
      line([{ start: 0.5, end: 3, label: 'A' }]),
      /spans\/0\/start/,
    ],
    ['a span without label', 'a.jsonl', line([{ start: 0, end: 3 }]), /spans\/0 has no 'label'/],
    ['a lone surrogate', 'a.jsonl', `{"text":"${secret} \\ud800"}`, /surrogate pair at offset 9/],
    ['a span of JSONL outside', 'a.jsonl', line([{ start: 0, end: 99, label: 'A' }]), /outside/],
    ['a directory of nothing', 'a.md', secret, /there are no documents/],
  ])('%s', async (_, file, content, message) => {
    const reading = readAll(files.write({ [file]: content }));
    const error = (await reading.catch((caught: unknown) => caught)) as TacetError;
    expect(error).toBeInstanceOf(TacetError);
    expect(error).toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(message),
    });
    expect(error.message).not.toContain(secret);
  });

  test.each([
    ['a line of another kind', `${secret} 0 8`],
    ['offsets that are not numbers', `T1\tNAME 0 ${secret}`],
    ['another text', `T1\tNAME 0 8\tX${secret}`],
    ['a fragment outside the text', 'T1\tNAME 0 8;90 91'],
  ])('brat with %s', async (_, annotations) => {
    const reading = readAll(files.write({ 'a.txt': secret, 'a.ann': annotations }));
    const error = (await reading.catch((caught: unknown) => caught)) as TacetError;
    expect(error).toMatchObject({ code: 'corpus-invalid' });
    expect(error.message).toMatch(/a\.ann: line 1: /);
    expect(error.message).not.toContain(secret);
  });

  test('bytes that are not UTF-8, with the place of the first', async () => {
    const latin1 = Buffer.from('a\ufffdñ: Peña', 'utf8');
    const content = Buffer.concat([latin1, Buffer.from([0xf1, 0x61])]);
    const reading = readAll(files.write({ 'a.txt': content }));
    await expect(reading).rejects.toThrow(/a\.txt: byte 13 is not UTF-8/);
  });

  test('documents over 50 MB, as a file or as a line', async () => {
    const directory = files.write({ 'a.txt': '', 'b.jsonl': '' });
    truncateSync(join(directory, 'a.txt'), 50_000_001);
    truncateSync(join(directory, 'b.jsonl'), 50_000_001);
    for (const name of ['a.txt', 'b.jsonl'])
      await expect(readAll(join(directory, name))).rejects.toThrow(/larger than 50 MB/);
  });

  test('a path at which there is nothing', async () => {
    await expect(readAll(files.fresh('none'))).rejects.toMatchObject({ code: 'file-not-found' });
  });
});

/** A BioC collection in JSON of one document, whose passage says more. */
function bioc(more: object): string {
  const passages = [{ offset: 0, text: 'Ann', ...more }];
  return JSON.stringify({ documents: [{ id: 'a', passages }] });
}

describe('readCorpus where annotations are required', () => {
  const required = { requireAnnotations: true };

  test.each([
    ['a text without its .ann', { 'a.txt': 'Ann' }, /a\.txt: no annotations; .*\.ann/],
    ['a JSON line without spans', { 'a.jsonl': '{"text":"Ann"}' }, /a\.jsonl:1: no annotations/],
    [
      'an XML file without TAGS',
      { 'a.xml': '<deIdi2b2><TEXT>Ann</TEXT></deIdi2b2>' },
      /a\.xml: no annotations; .*TAGS in an XML file/,
    ],
    ['BioC in JSON without a list', { 'a.json': bioc({}) }, /a\.json: \S+: no annotations/],
  ])('refuses %s, which is read elsewhere', async (_, contents, message) => {
    const path = files.write(contents);
    expect(await readAll(path)).toMatchObject([{ text: 'Ann', spans: [] }]);
    await expect(readAll(path, required)).rejects.toMatchObject({
      code: 'corpus-invalid',
      message: expect.stringMatching(message),
    });
    const bad: TacetError[] = [];
    const skipped = { ...required, skipBad: true, onBad: (error: TacetError) => bad.push(error) };
    expect(await readAll(path, skipped)).toEqual([]);
    expect(bad).toHaveLength(1);
  });

  test.each([
    ['an empty .ann', { 'a.txt': 'Ann', 'a.ann': '' }],
    ['an empty list of spans', { 'a.jsonl': '{"text":"Ann","spans":[]}' }],
    ['no tags', { 'a.xml': xml('Ann') }],
    ['an empty list in BioC', { 'a.json': bioc({ annotations: [] }) }],
  ])('takes %s for the statement that there is no PHI', async (_, contents) => {
    expect(await readAll(files.write(contents), required)).toMatchObject([{ spans: [] }]);
  });
});
