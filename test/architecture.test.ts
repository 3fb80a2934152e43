import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Whose rooms are many. */
const RELEASE = 'services/institution/release';

/**
 * Every room, with the rooms that it may import from beside `platform` and `proto`, which are open to all
 * but each other. A room stands after those that it knows, so that no arrows run in a circle.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  proto: [],
  platform: ['proto'],
  'models/tensor': [],
  'models/statistics': ['models/tensor'],
  'models/charts': [],
  'models/text': [],
  'models/synthetic': ['models/text'],
  'models/surrogates': ['models/text'],
  'models/embeddings': ['models/tensor', 'models/text'],
  'models/networks': ['models/embeddings', 'models/tensor', 'models/text'],
  'models/certification': ['models/embeddings', 'models/networks', 'models/tensor'],
  'models/bundle': [
    ...[
      'models/embeddings',
      'models/networks',
      'models/surrogates',
      'models/tensor',
      'models/text',
    ],
  ],
  'models/augmentation': ['models/embeddings', 'models/surrogates', 'models/text'],
  'models/evaluation': ['models/charts', 'models/networks', 'models/statistics', 'models/text'],
  'models/training/run': ['models/bundle', 'models/networks', 'models/tensor'],
  'models/training/data': [
    ...['models/certification', 'models/embeddings', 'models/networks', 'models/tensor'],
    ...['models/text', 'models/training/run'],
  ],
  'models/training/configuration': [
    ...['models/embeddings', 'models/networks', 'models/training/data', 'models/training/run'],
  ],
  'models/training/general': [
    ...['models/certification', 'models/embeddings', 'models/networks', 'models/tensor'],
    ...['models/text', 'models/training/configuration', 'models/training/data'],
    'models/training/run',
  ],
  'models/training': [
    ...['models/augmentation', 'models/bundle', 'models/certification', 'models/embeddings'],
    ...['models/networks', 'models/statistics', 'models/surrogates', 'models/tensor'],
    ...['models/text', 'models/training/configuration', 'models/training/data'],
    ...['models/training/general', 'models/training/run'],
  ],
  'models/federation': [
    ...['models/embeddings', 'models/evaluation', 'models/networks', 'models/tensor'],
    'models/text',
  ],
  'models/attacks': [
    ...['models/certification', 'models/charts', 'models/embeddings', 'models/federation'],
    'models/networks',
    ...['models/statistics', 'models/tensor', 'models/text', 'models/training'],
  ],
  'pool-store/blobs': ['models/tensor'],
  'pool-store/catalog': [],
  'pool-store/log': ['pool-store/catalog'],
  'pool-store/models': ['pool-store/catalog', 'pool-store/log'],
  'pool-store/members': ['pool-store/catalog', 'pool-store/log'],
  'pool-store/segments': [
    ...['models/tensor', 'pool-store/blobs', 'pool-store/catalog', 'pool-store/log'],
  ],
  'pool-store/contributions': [
    ...['models/tensor', 'pool-store/blobs', 'pool-store/catalog', 'pool-store/log'],
    'pool-store/segments',
  ],
  'pool-store/snapshots': [
    ...['pool-store/blobs', 'pool-store/catalog', 'pool-store/log', 'pool-store/segments'],
  ],
  'pool-store/training': ['pool-store/catalog', 'pool-store/log', 'pool-store/snapshots'],
  'pool-store/uploads': ['pool-store/blobs', 'pool-store/catalog', 'pool-store/segments'],
  'pool-store': [
    ...['pool-store/blobs', 'pool-store/catalog', 'pool-store/contributions', 'pool-store/log'],
    ...['pool-store/members', 'pool-store/models', 'pool-store/segments', 'pool-store/snapshots'],
    ...['pool-store/training', 'pool-store/uploads'],
  ],
  'pool-store/copies': [
    ...['pool-store', 'pool-store/blobs', 'pool-store/catalog', 'pool-store/log'],
    'pool-store/segments',
  ],
  'study/runs': ['models/'],
  'study/measures': ['models/', 'study/runs'],
  'study/report': ['models/', 'study/measures', 'study/runs'],
  'study/controls': ['models/', 'study/report', 'study/runs'],
  'study/augmentation': ['models/', 'study/measures', 'study/report', 'study/runs'],
  'study/federation': ['models/', 'study/measures', 'study/report', 'study/runs'],
  'study/sharing': [
    ...['models/', 'study/federation', 'study/measures', 'study/report', 'study/runs'],
  ],
  'study/outside-reader': ['models/', 'study/runs'],
  'services/http': ['pool-store'],
  'services/client': ['models/attacks', 'models/bundle', 'models/training', 'pool-store'],
  'services/registry': [
    ...['models/attacks', 'models/bundle', 'models/charts', 'pool-store', 'services/http'],
  ],
  'services/pool': [
    'models/bundle',
    'models/text',
    'models/training',
    'pool-store',
    'services/http',
  ],
  'services/federation': [...['models/federation', 'models/tensor', 'pool-store', 'services/http']],
  'services/institution/bundles': ['models/'],
  'services/institution/deidentify': ['models/'],
  [`${RELEASE}/sentences`]: ['models/'],
  [`${RELEASE}/suspects`]: ['models/'],
  [`${RELEASE}/limits`]: ['models/', 'services/institution/bundles', `${RELEASE}/sentences`],
  [`${RELEASE}/ledger`]: ['models/', `${RELEASE}/limits`, `${RELEASE}/suspects`],
  [`${RELEASE}/home`]: [`${RELEASE}/ledger`],
  [`${RELEASE}/notes`]: ['models/', `${RELEASE}/ledger`, `${RELEASE}/suspects`],
  [`${RELEASE}/encoding`]: ['models/', 'services/institution/bundles', `${RELEASE}/notes`],
  [`${RELEASE}/job`]: [
    ...['models/', 'services/institution/bundles', `${RELEASE}/encoding`, `${RELEASE}/ledger`],
    ...[`${RELEASE}/limits`, `${RELEASE}/sentences`, `${RELEASE}/suspects`],
  ],
  [`${RELEASE}/segments`]: [
    ...['models/', 'services/institution/bundles', `${RELEASE}/encoding`, `${RELEASE}/home`],
    ...[`${RELEASE}/job`, `${RELEASE}/ledger`, `${RELEASE}/sentences`],
  ],
  [`${RELEASE}/portions`]: [
    ...['models/', 'services/institution/bundles', `${RELEASE}/encoding`, `${RELEASE}/home`],
    ...[
      `${RELEASE}/job`,
      `${RELEASE}/ledger`,
      `${RELEASE}/notes`,
      `${RELEASE}/segments`,
      `${RELEASE}/sentences`,
    ],
  ],
  [RELEASE]: ['models/', 'services/client', 'services/institution/bundles', `${RELEASE}/`],
  'services/institution/approval': [
    ...['models/', 'services/client', 'services/institution/bundles'],
    RELEASE,
    `${RELEASE}/`,
  ],
  'services/encoder': ['models/', 'services/http', 'services/institution/'],
  'services/workflows': [
    'models/',
    'pool-store',
    'services/client',
    'services/encoder',
    'services/institution/',
    'study',
  ],
  'services/cli': ['models/', 'pool-store', 'services/', 'study'],
};

/** Packages that speak to networks or databases. */
const OUTSIDE =
  /^(express|better-sqlite3.*|@tus\/.*|tus-js-client|pino|prom-client|node:(http|https|net))$/;

function sourcesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => path.join(ROOT, folder, file));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, specifier]) => specifier);
}

const rooms = Object.keys(ROOMS);
const sources = ['models', 'platform', 'pool-store', 'proto', 'services', 'study'].flatMap(
  sourcesOf,
);

/** The room of a file by its path from the root; the innermost where rooms lie in one another. */
function roomOf(file: string): string | undefined {
  return rooms
    .filter((room) => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);
}

/** The files of the project that a file imports, as paths from the root. */
function targetsOf(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.relative(ROOT, path.resolve(path.dirname(file), specifier)))
    .map((target) => sourceOf(target));
}

/** The source that an import of `target` is compiled from. */
function sourceOf(target: string): string {
  const typescript = target.replace(/\.js$/, '.ts');
  return existsSync(path.join(ROOT, typescript)) ? typescript : `${typescript}x`;
}

const graph = new Map(sources.map((file) => [path.relative(ROOT, file), targetsOf(file)]));

test('every source is in a room', () => {
  expect([...graph.keys()].filter((file) => roomOf(file) === undefined)).toEqual([]);
});

describe.each(Object.entries(ROOMS))('%s', (room, allowed) => {
  const open =
    room === 'platform' || room === 'proto' ? allowed : ['platform', 'proto', ...allowed];

  test(`imports from ${['itself', ...open].join(', ')} alone`, () => {
    const isOpen = (other: string | undefined) =>
      other === room || open.some((each) => other === each || other?.startsWith(each));
    const strays = [...graph]
      .filter(([file]) => roomOf(file) === room)
      .flatMap(([file, targets]) =>
        targets.filter((target) => !isOpen(roomOf(target))).map((target) => `${file} -> ${target}`),
      );
    expect(strays).toEqual([]);
  });

  test('stands after the rooms that it knows', () => {
    const later = rooms.slice(rooms.indexOf(room) + 1);
    expect(later.filter((each) => allowed.includes(each))).toEqual([]);
  });
});

test('no imports run in a circle', () => {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    for (const target of graph.get(file) ?? []) visit(target, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test('models know no network and no database', () => {
  const strays = sourcesOf('models').flatMap((file) =>
    importsOf(file)
      .filter((specifier) => OUTSIDE.test(specifier) || specifier.includes('platform/sqlite/'))
      .map((specifier) => `${path.relative(ROOT, file)} -> ${specifier}`),
  );
  expect(strays).toEqual([]);
});

test('paths of the services stand in one place', () => {
  const spellers = sources
    .filter((file) => /['"`][^'"`\n]*\/v1\//.test(readFileSync(file, 'utf8')))
    .map((file) => path.relative(ROOT, file));
  expect(spellers).toEqual(['proto/paths.ts']);
});

test('tests find public data in one place', () => {
  const seekers = sourcesOf('test')
    .filter((file) => /env\.TACET_DATA\b|shared\/data/.test(readFileSync(file, 'utf8')))
    .map((file) => path.relative(ROOT, file));
  expect(seekers).toEqual(['test/shared-data.ts']);
});

test('SQLite is loaded in one place', () => {
  const loaders = sources
    .filter((file) => readFileSync(file, 'utf8').includes("'better-sqlite3"))
    .map((file) => path.relative(ROOT, file));
  expect(loaders).toEqual(['platform/sqlite/database.ts']);
});

/** All files that are loaded with this one, itself among them; what is imported for its types alone is not. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  // What is generated loads nothing of ours.
  if (loaded.has(file) || !graph.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  for (const [, specifier] of text.matchAll(/^(?:import|export)(?! type)[^;']*'(\.[^']+)';/gm)) {
    loadedWith(sourceOf(path.join(path.dirname(file), specifier)), loaded);
  }
  return loaded;
}

test('registry and pool run without the tensor library', () => {
  const loaded = loadedWith('services/cli/servers.ts');
  expect(loaded).toContain('models/training/configuration/config.ts');
  expect(loaded).not.toContain('models/tensor/tf.ts');
  expect(loadedWith('models/training/certified.ts')).toContain('models/tensor/tf.ts');
});

test('the tensor library is loaded in one place, and only its types are imported', () => {
  const loading =
    /^(import|export) (?!type )[^;]*'@tensorflow\/|(import|require)\('@tensorflow\/[^;]*;/m;
  const loaders = sources
    .filter((file) => loading.test(readFileSync(file, 'utf8')))
    .map((file) => path.relative(ROOT, file));
  expect(loaders).toEqual(['models/tensor/tensor-library.ts']);
});
