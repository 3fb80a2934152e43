import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAudits } from '../../../../pool-store/models/audit-list.js';
import { AuditSummaries } from '../../../../services/registry/pages/audit-summaries.js';
import { type BrowserLike, browserLike } from '../../http/pages/browser-like.js';
import { type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';
import { publishModel } from './published-model.js';
import { statedRepresentation } from './realistic.js';
import { textOf } from './text-of.js';

let registry: FurnishedRegistry;
let officer: BrowserLike;

beforeAll(async () => {
  registry = await furnishRegistry();
  officer = browserLike(registry.url);
  await officer.submit('/login', { token: registry.world.tokens.institution });
});
afterAll(() => registry.close());

const markupOf = async (path: string) => {
  const answer = await officer.open(path);
  expect(answer.status).toBe(200);
  return answer.text();
};
const shown = async (path: string) => textOf(await markupOf(path));
const modelsIn = (markup: string) =>
  [...markup.matchAll(/<a href="\/models\/([a-z]+)\/([0-9.]+)">/g)].map(
    ([, name, version]) => `${name} ${version}`,
  );

describe('the list of models', () => {
  test('has each version, newest first, with what is known of it', async () => {
    const markup = await markupOf('/models');
    expect(modelsIn(markup)).toEqual([
      ...['bare 0.1.0', 'lector 1.0.0', 'notas 1.0.0'],
      ...['letters 2.0.0', 'letters 1.1.0', 'letters 1.0.0'],
    ]);
    const row = textOf(/<tr>(?:(?!<tr>).)*letters\/2\.0\.0.*?<\/tr>/s.exec(markup)?.[0] ?? '');
    expect(row).toContain('94.0 % 93.0 % – 95.0 %');
    expect(row).toContain('54.0 % 53.0 % – 55.0 %');
    expect(row).toContain('66.0 %, by chance 50.0 %');
    expect(markup).toMatch(/badge danger">revoked/);
  });

  test.each([
    ['search=lett', ['letters 2.0.0', 'letters 1.1.0', 'letters 1.0.0']],
    ['search=lett&status=revoked&kind=&language=', ['letters 1.0.0']],
    ['kind=pipeline', ['lector 1.0.0']],
    ['language=es', ['lector 1.0.0', 'notas 1.0.0']],
    ['search=%27%20OR%201%3D1', []],
  ])('is narrowed by ?%s', async (query, expected) => {
    expect(modelsIn(await markupOf(`/models?${query}`))).toEqual(expected);
  });

  test.each(['page=0', 'page=-1', 'status=x', 'kind=other', 'unknown=1', 'search=a&search=b'])(
    'refuses ?%s',
    async (query) => {
      expect((await officer.open(`/models?${query}`)).status).toBe(400);
    },
  );
});

describe('the page of a model', () => {
  test('says the three statements apart from each other', async () => {
    const text = await shown('/models/letters/2.0.0');
    const [, labelled, missed, rest] = text.split(
      /PHI that somebody labelled:|A name that nobody labelled:|The rest of the text:/,
    );
    expect(labelled).toContain('by construction');
    expect(labelled).not.toMatch(/\d %/);
    expect(labelled).toContain('The words around it, of which the last statement speaks, may tell');
    expect(labelled).not.toContain('every attacker guesses');
    expect(missed).toContain('Publisher: limit of every attack on pairs, validation notes 54.0 %');
    expect(missed).toContain('63.1 %');
    expect(missed).toContain('Told a sentence from one with a name changed 66.0 %');
    expect(missed).not.toContain('already knew');
    expect(rest).toContain('Found the sentence that it already knew among others 33.0 %');
    expect(rest.slice(0, rest.indexOf('Audits'))).not.toContain('name changed');
  });

  test('says of a pipeline that reads the text what its weights may tell', async () => {
    const text = await shown('/models/lector/1.0.0');
    expect(text).toContain('nothing bounds what its weights tell of the notes');
    expect(text).not.toMatch(/nothing leaves with it/i);
  });

  test('says so where nothing is stated', async () => {
    const text = await shown('/models/bare/0.1.0');
    expect(text).toContain('The publisher states no certified limit.');
    expect(text).toContain('how much can be read is not known');
    expect(text).toContain('Trained on not stated by its publisher');
  });

  test('says whose signatures are right, and which nobody here can check', async () => {
    const text = await shown('/models/letters/2.0.0');
    expect(text).toMatch(/[0-9a-f]{64} provider right/);
    expect(text).toMatch(/[0-9a-f]{64} not known to this registry not checked/);
  });

  test('finds out a signature that is not of the key that it names', async () => {
    const { store, world } = registry;
    const model = await publishModel(store, {
      ...{ publisher: 'provider', keys: [world.keys.provider], published: '2026-01-01T00:00:00Z' },
      fields: statedRepresentation('forged', '1.0.0'),
    });
    const other = await store.models.filesOf((await store.models.get('letters', '2.0.0')).digest);
    const from = (await store.models.filesOf(model.digest))['signature.json'] as string;
    const to = other['signature.json'] as string;
    await store.models.replaceFile(model.digest, 'signature.json', { from, to });
    expect(await shown('/models/forged/1.0.0')).toMatch(/[0-9a-f]{64} provider wrong/);
  });

  test('draws how its training went, where the bundle says so', async () => {
    const markup = await markupOf('/models/letters/2.0.0');
    expect(markup).toContain('aria-label="Losses on validation notes, by epoch"');
    expect(textOf(markup)).toContain(
      'Stages: P1, epochs 1 to 8; P2, epochs 9 to 13; certified, epochs 14 to 25.',
    );
    expect(await shown('/models/letters/1.1.0')).toContain('The bundle brings no training curve');
  });

  test('has commands with its names and the address of this registry', async () => {
    const text = await shown('/models/letters/2.0.0');
    expect(text).toContain(
      'tacet model fetch letters 2.0.0 letters-2.0.0 --trust publisher.pem \\ ' +
        `--registry ${registry.url} --token-file our.token`,
    );
    expect(text).toContain('tacet bundle verify letters-2.0.0 --trust publisher.pem');
    expect(await shown('/models/letters/1.0.0')).not.toContain('tacet model fetch letters');
  });

  test.each(['stable', 'latest'])('is where the alias %s leads', async (alias) => {
    for (const beyond of ['', '/audits']) {
      const answer = await officer.open(`/models/letters/${alias}${beyond}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/models/letters/2.0.0${beyond}`,
      ]);
    }
  });

  test.each(['/models/nobody/1.0.0', '/models/letters/9.9.9', '/models/letters/2.0.0/audits/none'])(
    'is not there: %s',
    async (path) => {
      expect((await officer.open(path)).status).toBe(404);
    },
  );
});

describe('audits', () => {
  test('of a model stand side by side, the newest first', async () => {
    const markup = await markupOf('/models/letters/2.0.0/audits');
    const places = registry.audits.map((id) => markup.indexOf(id));
    expect(places[1]).toBeLessThan(places[0] as number);
    expect(textOf(markup)).toContain('Not measured alike: the number of candidates');
  });

  test('are shown in full, with whose they are', async () => {
    const text = await shown(`/models/letters/2.0.0/audits/${registry.audits[1]}`);
    expect(text).toContain('signed by second-auditor, as the registry says');
    expect(text).toContain('What this audit did not do');
  });

  test('are of their own model alone', async () => {
    const path = `/models/letters/1.1.0/audits/${registry.audits[0]}`;
    expect((await officer.open(path)).status).toBe(404);
  });

  test('of all models have a figure of attack against F1', async () => {
    const markup = await markupOf('/audits');
    expect(markup).toContain('What an attacker gets right, against what the model is worth');
    expect(modelsIn(markup)).toEqual(['letters 2.0.0', 'letters 2.0.0', 'letters 1.1.0']);
  });
});

test('what changed between two versions is told, and what did not', async () => {
  const text = await shown('/models/letters/compare/1.1.0/2.0.0');
  expect(text).toContain('binary token F1, validation notes 0.92 [0.91, 0.93] 0.94 [0.93, 0.95]');
  expect(text).toContain('status deprecated published');
  expect(text).toMatch(/What is the same .*Noise/);
});

test('summaries are made once, and as many kept as there is room for', async () => {
  const { catalog } = registry.store;
  let read = 0;
  const counting = new Proxy(catalog, {
    get: (target, key) => {
      if (key === 'read') read++;
      const value = target[key as keyof typeof target];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { rows } = await listAudits(catalog, { limit: 3, offset: 0 });
  const all = new AuditSummaries(counting, 3);
  for (const _ of [1, 2])
    for (const audit of rows) expect((await all.of(audit)).summary).toBeDefined();
  expect(read).toBe(3);
  const few = new AuditSummaries(counting, 2);
  for (const _ of [1, 2]) for (const audit of rows) await few.of(audit);
  expect(read).toBe(9);
});
