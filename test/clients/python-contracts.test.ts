import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ERRORS } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { ROOT } from '../shared-data.js';
import { runUnittest, testWithPython } from './run-python.js';

const PACKAGE = join(ROOT, 'clients', 'python', 'tacet');

/** Raised where an optional package of Python is not installed. */
const OWN_CODES = ['package-missing'];

const sources = readdirSync(PACKAGE)
  .filter((file) => file.endsWith('.py'))
  .map((file) => readFileSync(join(PACKAGE, file), 'utf8'));
const found = (pattern: RegExp) =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word));

describe('the Python client', () => {
  test('asks for paths that the services have', () => {
    const paths = found(/"(\/v1\/[^"]*)"/g);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !(Object.values(PATHS) as string[]).includes(path))).toEqual([]);
  });

  test('raises errors under codes of the error table', () => {
    const codes = found(/(?:TacetError|ServiceError)\(\s*"([a-z-]+)"/g);
    expect(codes.length).toBeGreaterThan(40);
    const known = [...Object.keys(ERRORS), ...OWN_CODES];
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
  });

  test('puts no value of a document, a token or a header into an error', () => {
    expect(found(/TacetError\([^)]*\{(text|word|token|value|content)[!:}]/g)).toEqual([]);
  });

  testWithPython('is a typed package that needs the standard library alone', () =>
    runUnittest('test_package'),
  );

  testWithPython('reads a list from all of its pages, and follows none that leads astray', () =>
    runUnittest('test_service'),
  );

  testWithPython('says that the events of a job broke off, wherever they did', () =>
    runUnittest('test_follow'),
  );
});
