import { afterAll, describe, expect, test } from '@jest/globals';
import { formatOfContent } from '../../../../models/text/corpus/detect-format.js';
import { readAll, TemporaryFiles } from './temporary-files.js';

const files = new TemporaryFiles();
afterAll(() => files.remove());

describe('formatOfContent', () => {
  test.each([
    ['i2b2', '\ufeff<?xml version="1.0"?><a/>'],
    ['i2b2', '<deIdi2b2>\n<TEXT>a</TEXT>'],
    ['jsonl', '{"text": "a"}\n'],
    ['jsonl', ' { "note" :'],
    ['presidio', '[\n {\n  "full_text": "a"'],
    ['presidio', '[]'],
    ['asq-phi', '===QUERY===\nWhat of Ann?'],
    ['bioc', '<?xml version="1.0"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n<collection>'],
    ['bioc', '<collection><source>PubMed</source>'],
    ['bioc-json', '{"source": "a", "date": "", "documents": [{'],
    ['bioc-json', '[{"bioctype": "BioCCollection"'],
    ['cas-json', '{\n  "%TYPES" : { },'],
    ['xmi', '<?xml version="1.0"?><!-- a --><xmi:XMI xmlns:xmi="x">'],
    ['webanno', '#FORMAT=WebAnno TSV 3.3\n#T_SP=a|value'],
    ['label-studio', '[{"id": 1, "annotations": ['],
    ['label-studio', '[\n  {\n    "data": {"text": "a"}'],
    ['label-studio', '{"id": 1, "data": {"text": "a"}'],
    ['label-studio', '{"id": 7, "annotations": [{"completed_by": {"id": 1}, "result": ['],
    ['label-studio', '[{"text": "a", "id": 1, "label": ['],
    ['label-studio', '[{"note": "a", "id": 1, "annotator": 1'],
    ['presidio', '[{"metadata": {"annotator": 1}, "full_text": "a"'],
    ['jsonl', '{"id": 1, "annotations": [{"label": "A", "start_offset": 0'],
    ['jsonl', '{"source": "a", "text": "b"}'],
    ['conll', '-DOCSTART- -X- O O\n'],
    ['conll', '\r\n\r\nEl O\r\nReino B-LOC\r\n'],
    ['conll', 'Ann NNP I-NP S-PER\nran VBD O O\n'],
    ['tsv', 'El\tO\nReino\tB-LOC\n'],
    ['tsv', 'New York\tS-LOC\t\nis\t O\n'],
    ['conll', 'ran O\n'.repeat(10)],
  ])('knows %s by %j', (format, head) => {
    expect(formatOfContent(head)).toBe(format);
  });

  test.each([
    '',
    '<50 mg a day',
    '<name> was seen',
    '{see above}',
    '[x] fever',
    'Blood group O',
    'Blood group O\nRhesus factor B-negative today',
    'O',
    'Given vitamin B-12\nHepatitis B-positive Ann Lee, group O\n',
    'Vitamin B-12\nGroup O\n',
    'Mother O\nFather O\n',
    'Hepatitis B-positive\nRhesus B-negative\n',
  ])('leaves %j to the name of the file', (head) => {
    expect(formatOfContent(head)).toBeUndefined();
  });

  test('does not judge columns by a line that is cut off', () => {
    const line = 'word O\n';
    const head = line.repeat(200).slice(0, 1024 + 3);
    expect(formatOfContent(head, true)).toBe('conll');
  });
});

describe('a directory without a format', () => {
  test('gives each file by its content, whatever its extension', async () => {
    const directory = files.write({
      'a.txt': 'Ann B-PER\nran O\n',
      'b.json': '{"text":"Ann","spans":[]}\n',
      'c.tsv': 'Ann B-PER',
      'd.txt': 'Blood group O',
      'e.bioes': '',
    });
    const documents = await readAll(directory);
    expect(documents.map(({ id, text, spans }) => [id, text, spans.length])).toEqual([
      ['a', 'Ann ran', 1],
      ['b-1', 'Ann', 0],
      ['c', 'Ann', 1],
      ['d', 'Blood group O', 0],
    ]);
    expect(await readAll(directory, { format: 'conll' })).toHaveLength(2);
    expect(await readAll(directory, { format: 'text' })).toHaveLength(2);
  });

  test('takes columns for what they are wherever in a character the first bytes end', async () => {
    const lines = 'Señora O\nAna B-PER\n'.repeat(200);
    for (const start of ['él O\n', 'ella O\n', 'ellas O\n'])
      expect((await readAll(files.write({ 'a.txt': start + lines })))[0]?.spans).toHaveLength(200);
  });

  test('reads the whole text of a note whose lines end as columns may', async () => {
    const text = 'Given vitamin B-12\nHepatitis B-positive Ann Lee, group O\n';
    expect((await readAll(files.write({ 'a.txt': text })))[0]?.text).toBe(text);
  });
});
