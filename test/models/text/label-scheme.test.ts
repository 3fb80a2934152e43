import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { loadLabelScheme, mapType } from '../../../models/text/label-scheme.js';

const directory = mkdtempSync(join(tmpdir(), 'tacet-scheme-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(content: string): string {
  const path = join(directory, 'scheme.json');
  writeFileSync(path, content);
  return path;
}

const valid = { name: 'two', version: '1', description: '', types: ['A', 'B'], map: { C: 'A' } };

describe('loadLabelScheme', () => {
  test('numbers the labels O, B- and I- in order of the types', () => {
    const scheme = loadLabelScheme(fileOf(JSON.stringify(valid)));
    expect(scheme.labels).toEqual(['O', 'B-A', 'I-A', 'B-B', 'I-B']);
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

  test.each(['meddocan', 'i2b2-2014', 'hipaa-binary', 'phi-binary'])('knows %s', (name) => {
    expect(loadLabelScheme(name).name).toBe(name);
  });

  test('has all 29 types of MEDDOCAN', () => {
    expect(loadLabelScheme('meddocan').types).toHaveLength(29);
  });

  test('maps every MEDDOCAN and i2b2 type to PHI or, with a reason, to nothing in hipaa-binary', () => {
    const scheme = loadLabelScheme('hipaa-binary');
    for (const corpus of ['meddocan', 'i2b2-2014'])
      for (const type of loadLabelScheme(corpus).types)
        expect(['PHI', null]).toContain(mapType(type, scheme));
    expect(mapType('PATIENT', scheme)).toBe('PHI');
    expect(mapType('DOCTOR', scheme)).toBeNull();
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

describe('mapType', () => {
  test.each(['X', 'constructor', '__proto__'])('refuses the unknown type %s', (type) => {
    expect(() => mapType(type, loadLabelScheme('meddocan'))).toThrow(
      expect.objectContaining({ code: 'label-unknown' }),
    );
  });
});
