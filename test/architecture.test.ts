import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Which top-level folders a folder may import from, beside itself. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  proto: [],
  models: ['platform', 'proto'],
  'pool-store': ['platform', 'proto'],
  services: ['models', 'platform', 'pool-store', 'proto'],
};

/** Packages that speak to networks or databases. */
const OUTSIDE =
  /^(express|better-sqlite3.*|@tus\/.*|tus-js-client|pino|prom-client|node:(http|https|net))$/;

function sourcesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.join(ROOT, folder, file));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier]) => specifier);
}

describe.each(Object.entries(ARROWS))('%s', (folder, allowed) => {
  test(`imports from ${['itself', ...allowed].join(', ')} alone`, () => {
    const strays = sourcesOf(folder).flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => path.relative(ROOT, path.resolve(path.dirname(file), specifier)))
        .filter((target) => ![folder, ...allowed].includes(target.split(path.sep)[0]))
        .map((target) => `${path.relative(ROOT, file)} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });
});

test('models know no network and no database', () => {
  const strays = sourcesOf('models').flatMap((file) =>
    importsOf(file)
      .filter((specifier) => OUTSIDE.test(specifier) || specifier.includes('platform/sqlite/'))
      .map((specifier) => `${path.relative(ROOT, file)} -> ${specifier}`),
  );
  expect(strays).toEqual([]);
});

test('tests find public data in one place', () => {
  const seekers = sourcesOf('test')
    .filter((file) => /env\.TACET_DATA\b|shared\/data/.test(readFileSync(file, 'utf8')))
    .map((file) => path.relative(ROOT, file));
  expect(seekers).toEqual(['test/shared-data.ts']);
});

test('SQLite is loaded in one place', () => {
  const loaders = Object.keys(ARROWS)
    .flatMap(sourcesOf)
    .filter((file) => readFileSync(file, 'utf8').includes("'better-sqlite3"))
    .map((file) => path.relative(ROOT, file));
  expect(loaders).toEqual(['platform/sqlite/database.ts']);
});

test('the tensor library is imported in one place', () => {
  const importers = Object.keys(ARROWS)
    .flatMap(sourcesOf)
    .filter((file) => importsOf(file).includes('@tensorflow/tfjs'))
    .map((file) => path.relative(ROOT, file));
  expect(importers).toEqual(['models/tensor/tf.ts']);
});
