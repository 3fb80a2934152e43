import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readManifest } from '../../../models/bundle/manifest.js';
import { schemeOf, statedScheme } from '../../../models/bundle/stated-scheme.js';
import { createLabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { manifestFields } from './manifest-fields.js';

const own = createLabelScheme({
  name: 'own',
  version: '1',
  types: ['PERSON', 'PLACE'],
  map: { DOCTOR: 'PERSON', AGE: null },
  describes: ['PLACE'],
});
const frozen = new URL('../../../../study/frozen/', import.meta.url);

/** A manifest with that label scheme, through its bytes. */
function stated(labelScheme: object) {
  const files = { 'weights.safetensors': 'a'.repeat(64), 'MODEL_CARD.md': 'b'.repeat(64) };
  const manifest = { ...manifestFields(), created: '2030-01-01T00:00:00Z', files, labelScheme };
  return readManifest(Buffer.from(JSON.stringify(manifest))).labelScheme;
}

describe('a manifest carries its label scheme', () => {
  test('whole, with what other types map to', () => {
    expect(schemeOf('bundle', stated(statedScheme(own)))).toEqual(own);
  });

  test.each(['meddocan', 'synthetic', 'i2b2-2014', 'phi-binary'])('as %s', (name) => {
    const scheme = loadLabelScheme(name);
    expect(schemeOf('bundle', stated(statedScheme(scheme)))).toEqual(scheme);
  });

  test('with what of it describes; of one that does not say so, as the scheme of Tacet with its labels does', () => {
    const shipped = statedScheme(loadLabelScheme('meddocan'));
    expect(shipped).not.toHaveProperty('describes');
    expect(schemeOf('bundle', stated(shipped)).describes).toContain('HOSPITAL');
    const { describes, ...other } = statedScheme(own);
    expect(describes).toEqual(['PLACE']);
    expect(schemeOf('bundle', stated(other)).describes).toEqual([]);
    const renamed = { ...other, name: 'meddocan' };
    expect(() => schemeOf('bundle', stated(renamed))).toThrow('do not belong together');
  });

  test('and is refused where it says that a type describes which it does not have', () => {
    const stray = { ...statedScheme(own), describes: ['AGE'] };
    expect(() => schemeOf('bundle', stated(stray))).toThrow('do not belong together');
  });

  test('or, made before that, names one that comes with Tacet', () => {
    const { types: _types, map: _map, ...named } = statedScheme(loadLabelScheme('meddocan'));
    expect(schemeOf('bundle', stated(named))).toEqual(loadLabelScheme('meddocan'));
  });

  test.each(readdirSync(frozen, { withFileTypes: true }).filter((entry) => entry.isDirectory()))(
    'and so it is with the frozen $name',
    ({ name }) => {
      const { labelScheme } = JSON.parse(
        readFileSync(new URL(`${name}/manifest.json`, frozen), 'utf8'),
      );
      expect(schemeOf(name, labelScheme).labels).toEqual(labelScheme.labels);
    },
  );

  test('and is refused where it names one that is not to be had', () => {
    const { types: _types, map: _map, ...named } = statedScheme(own);
    expect(() => schemeOf('bundle', stated(named))).toThrow(
      expect.objectContaining({
        code: 'model-unsuitable',
        message: expect.stringMatching(
          /^bundle: .*label scheme own and does not carry it.*--scheme/,
        ),
      }),
    );
  });

  test.each<[string, object]>([
    ['labels', { labels: ['O', 'B-PLACE', 'I-PLACE', 'B-PERSON', 'I-PERSON'] }],
    ['fewer labels', { labels: own.labels.slice(0, 3) }],
    ['a digest', { digest: 'a'.repeat(64) }],
    ['a name', { name: 'other' }],
    ['types', { types: ['PERSON', 'PLACES'] }],
    ['a map', { map: { DOCTOR: 'NOBODY' } }],
  ])('and is refused with %s that do not belong to the rest', (_, change) => {
    expect(() => schemeOf('bundle', stated({ ...statedScheme(own), ...change }))).toThrow(
      expect.objectContaining({ code: 'bundle-invalid' }),
    );
  });

  test.each<[string, object]>([
    ['types without a map', { map: undefined }],
    ['a map without types', { types: undefined }],
    ['a map to a number', { map: { DOCTOR: 1 } }],
    ['a type that is no name', { types: ['PERSON', 'a place'] }],
  ])('and no manifest has %s', (_, change) => {
    expect(() => stated({ ...statedScheme(own), ...change })).toThrow(
      expect.objectContaining({ code: 'bundle-invalid' }),
    );
  });
});
