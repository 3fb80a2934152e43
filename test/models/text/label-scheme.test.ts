import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { maskEntities } from '../../../models/surrogates/replacement.js';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import { encodeLabels } from '../../../models/text/iob2.js';
import {
  type LabelScheme,
  loadLabelScheme,
  mapType,
  requireKnownTypes,
} from '../../../models/text/label-scheme.js';
import { SchemeMapping } from '../../../models/text/scheme-mapping.js';
import { tokenise } from '../../../models/text/tokeniser.js';
import { typeUnlessWord } from '../../../models/text/type-name.js';

const directory = mkdtempSync(join(tmpdir(), 'tacet-scheme-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(content: string): string {
  const path = join(directory, 'scheme.json');
  writeFileSync(path, content);
  return path;
}

const CORPORA = ['meddocan', 'i2b2-2014', 'i2b2-2006', 'presidio'];
const TASKS = ['hipaa', 'hipaa-binary', 'i2b2-official-hipaa', 'phi-binary'];
const schemeFile = (name: string) =>
  new URL(`../../../models/text/schemes/${name}.json`, import.meta.url);

const valid = { name: 'two', version: '1', description: '', types: ['A', 'B'], map: { C: 'A' } };

describe('loadLabelScheme', () => {
  test('numbers the labels O, B- and I- in order of the types', () => {
    const scheme = loadLabelScheme(fileOf(JSON.stringify(valid)));
    expect(scheme.labels).toEqual(['O', 'B-A', 'I-A', 'B-B', 'I-B']);
  });

  test('reads a file that an editor began with a byte order mark', () => {
    expect(loadLabelScheme(fileOf(`\ufeff${JSON.stringify(valid)}`)).types).toEqual(['A', 'B']);
  });

  test('gives a digest of name, version and labels alone', () => {
    const digestOf = (change: object) =>
      loadLabelScheme(fileOf(JSON.stringify({ ...valid, ...change }))).digest;
    const digest = digestOf({});
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf({ description: 'other', map: {} })).toBe(digest);
    expect(digestOf({ version: '2' })).not.toBe(digest);
    expect(digestOf({ types: ['B', 'A'] })).not.toBe(digest);
  });

  test.each([...CORPORA, ...TASKS, 'synthetic'])('knows %s', (name) => {
    expect(loadLabelScheme(name).name).toBe(name);
  });

  test.each([...CORPORA, ...TASKS])('maps every type of every corpus to %s', (name) => {
    const scheme = loadLabelScheme(name);
    for (const corpus of CORPORA)
      for (const type of loadLabelScheme(corpus).types)
        expect([...scheme.types, null]).toContain(mapType(type, scheme));
  });

  test.each([...CORPORA, ...TASKS])('gives a reason for what %s leaves out', (name) => {
    const { map, reasons } = JSON.parse(readFileSync(schemeFile(name), 'utf8'));
    const dropped = Object.keys(map).filter((type) => map[type] === null);
    expect(Object.keys(reasons ?? {})).toEqual(expect.arrayContaining(dropped));
  });

  test('has all 29 types of MEDDOCAN', () => {
    expect(loadLabelScheme('meddocan').types).toHaveLength(29);
  });

  test('counts the same types as PHI in hipaa and hipaa-binary, and a few others than i2b2', () => {
    const [hipaa, binary, official] = ['hipaa', 'hipaa-binary', 'i2b2-official-hipaa'].map(
      loadLabelScheme,
    ) as [LabelScheme, LabelScheme, LabelScheme];
    const types = CORPORA.flatMap((corpus) => loadLabelScheme(corpus).types);
    for (const type of types)
      expect(mapType(type, binary)).toBe(mapType(type, hipaa) === null ? null : 'PHI');
    const differ = loadLabelScheme('i2b2-2014').types.filter(
      (type) => (mapType(type, hipaa) === null) !== (mapType(type, official) === null),
    );
    expect(differ).toEqual(['LOCATION-OTHER', 'URL', 'IPADDR', 'IDNUM']);
    expect([mapType('PATIENT', binary), mapType('DOCTOR', binary)]).toEqual(['PHI', null]);
  });

  test.each([
    ['not JSON', '{'],
    ['no types', JSON.stringify({ ...valid, types: [] })],
    ['a type twice', JSON.stringify({ ...valid, types: ['A', 'A'] })],
    ['an unknown field', JSON.stringify({ ...valid, extra: 1 })],
    ['a map to a type that it lacks', JSON.stringify({ ...valid, map: { C: 'D' } })],
    [
      'too many types for a byte',
      JSON.stringify({ ...valid, types: [...Array(128).keys()].map(String) }),
    ],
  ])('refuses a file with %s', (_, content) => {
    expect(() => loadLabelScheme(fileOf(content))).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });

  test('says that a name or file does not exist', () => {
    expect(() => loadLabelScheme('no-such-scheme')).toThrow(
      expect.objectContaining({ code: 'file-not-found' }),
    );
  });
});

describe('requireKnownTypes', () => {
  test('repeats no text that stands in the place of a type, and no endless list', () => {
    const scheme = loadLabelScheme('meddocan');
    const message = (types: readonly string[]) => {
      try {
        requireKnownTypes(
          types.map((type) => ({ type })),
          scheme,
        );
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const secret = 'Jane Doe, 1 Main Street';
    expect(message([secret, 'x'.repeat(65), 'MY_TYPE'])).toMatch(
      /has no MY_TYPE, a type that is no name; /,
    );
    const many = Array.from({ length: 1000 }, (_, i) => `TYPE${i}`);
    expect(message(many)).toMatch(/ and 980 others; /);
  });

  test('repeats no word that a span marks, where a layer has the text for its label', () => {
    const text = 'Seen by Garcia, Ann Lee-Smith.';
    const spans = [
      { type: 'Garcia', start: 8, end: 14 },
      { type: 'smith', start: 16, end: 29 },
      { type: 'SHOE', start: 0, end: 4 },
    ];
    const scheme = loadLabelScheme('meddocan');
    const shown = expect.objectContaining({
      code: 'label-unknown',
      message: expect.stringMatching(/ has no SHOE, a type that is no name; /),
    });
    expect(() => maskEntities({ text, spans }, scheme)).toThrow(shown);
    expect(() => encodeLabels(tokenise(text), spans, scheme)).toThrow(shown);
  });

  test.each([
    ['Ana_Perez', 'Ana Pérez'],
    ['perez', 'señora Pérez'],
    ['AnaPerez', 'Ana Pérez'],
    ['12-03-2004', '12/03/2004'],
    ['Sr_Perez', 'Pérez'],
  ])('takes %s for a word of "%s", and not for others', (type, marked) => {
    expect(typeUnlessWord(type, marked)).toBe('a type that is no name');
    expect(typeUnlessWord(type, 'he')).toBe(type);
  });

  test('counts what a scheme does not know without naming words of the text', () => {
    const mapping = new SchemeMapping(loadLabelScheme('meddocan'));
    const spans = [
      { type: 'Perez', start: 8, end: 13 },
      { type: 'SHOE', start: 0, end: 4 },
    ];
    const document = { id: '1', text: 'Seen by Perez.', spans };
    expect(mapping.apply(document).spans).toEqual([]);
    expect(mapping.unmapped()).toEqual({ SHOE: 1, 'a type that is no name': 1 });
    const statistics = new CorpusStatistics();
    statistics.add(document);
    expect(statistics.summary().types).toEqual(mapping.unmapped());
  });

  test('names every type that a scheme does not know, once', () => {
    const spans = ['SHOE', 'PATIENT', 'PET', 'SHOE'].map((type) => ({ type }));
    expect(() => requireKnownTypes(spans, loadLabelScheme('meddocan'))).toThrow(
      expect.objectContaining({
        code: 'label-unknown',
        message: expect.stringMatching(
          /^label scheme meddocan has no PET, SHOE; it has NOMBRE_SUJETO_ASISTENCIA, .*OTRO_NUMERO_IDENTIF.*, and maps PATIENT, .*; add what/,
        ),
      }),
    );
  });
});

describe('mapType', () => {
  test.each(['X', 'constructor', '__proto__'])('refuses the unknown type %s', (type) => {
    expect(() => mapType(type, loadLabelScheme('meddocan'))).toThrow(
      expect.objectContaining({ code: 'label-unknown' }),
    );
  });
});
