import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { envelopeOf, findAudit, listAudits } from '../../pool-store/audit-list.js';
import {
  aliasesOfName,
  searchModels,
  statedLanguages,
  versionsOf,
} from '../../pool-store/model-search.js';
import { Store } from '../../pool-store/store.js';
import { sha256 } from '../services/world.js';

const COUNT = 120;
const ALL = { limit: 1000, offset: 0 };

let directory: string;
let store: Store;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-models-'));
  store = new Store(directory);
  for (let i = 0; i < COUNT; i++) {
    const manifest = {
      kind: i % 3 === 0 ? 'pipeline' : 'representation',
      training: i % 2 === 0 ? { language: 'en' } : { language: 7 },
    };
    const model = { digest: sha256(Buffer.from(`${i}`)), name: `n${i % 10}`, version: `0.0.${i}` };
    store.models.publish({ ...model, manifest, publisher: 'p', files: {} });
    const time = `2026-01-01T00:00:${String(i % 60).padStart(2, '0')}.000Z`;
    store.catalog.run('UPDATE models SET published = ? WHERE digest = ?', time, model.digest);
  }
  store.models.setStatus('n0', '0.0.0', 'revoked', 'why');
});
afterAll(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('models', () => {
  test('are found part by part, newest first, each once', () => {
    const parts = Array.from({ length: 13 }, (_, i) =>
      searchModels(store.catalog, {}, { limit: 10, offset: 10 * i }),
    );
    const found = parts.flatMap(({ rows }) => rows);
    expect(parts.map(({ rows }) => rows.length)).toEqual([...Array(12).fill(10), 0]);
    expect(new Set(found.map(({ digest }) => digest)).size).toBe(COUNT);
    const times = found.map(({ published }) => published);
    expect(times).toEqual([...times].sort().reverse());
    expect(parts.every(({ total }) => total === COUNT)).toBe(true);
  });

  test.each([
    [{ search: 'n1' }, 12],
    [{ search: '%' }, 0],
    [{ status: 'revoked' }, 1],
    [{ kind: 'pipeline' }, 40],
    [{ language: 'en' }, 60],
    [{ search: 'n0', kind: 'pipeline', language: 'en', status: 'published' }, 3],
  ] as const)('are narrowed by %j', (filter, expected) => {
    const { rows, total } = searchModels(store.catalog, filter, ALL);
    expect([rows.length, total]).toEqual([expected, expected]);
  });

  test('have versions under their name, newest first', () => {
    const { rows, total } = versionsOf(store.catalog, 'n4', { limit: 5, offset: 0 });
    expect([rows.length, total]).toEqual([5, 12]);
    expect(rows.every(({ name }) => name === 'n4')).toBe(true);
  });

  test('state languages, as text', () => {
    expect(statedLanguages(store.catalog, 10)).toEqual(['7', 'en']);
  });

  test('have aliases', () => {
    store.models.setAlias('n4', 'stable', '0.0.4');
    store.models.setAlias('n4', 'old', '0.0.14');
    expect(aliasesOfName(store.catalog, 'n4', 10)).toEqual([
      { alias: 'old', version: '0.0.14' },
      { alias: 'stable', version: '0.0.4' },
    ]);
  });
});

test('audits are listed newest first, one for each report, whoever signed it', () => {
  const { digest } = store.models.get('n4', '0.0.4');
  const keys = ['aa', 'bb'].map((pair) => pair.repeat(32));
  for (const key of keys)
    store.catalog.run("INSERT INTO identities VALUES (?, 'auditor', x'00', 't', 't')", key);
  const envelope = (text: string) => ({
    ...{ payloadType: 'type', payload: Buffer.from(text).toString('base64') },
    signatures: keys.map((keyid) => ({ keyid, sig: '' })),
  });
  const [first] = store.audits.attach(digest, keys, envelope('first'));
  store.catalog.run("UPDATE audits SET attached = '2026-01-01' WHERE id = ?", first?.id as string);
  const [second] = store.audits.attach(digest, keys.slice(1), envelope('second'));
  const listed = listAudits(store.catalog, ALL, digest);
  expect(listed.total).toBe(2);
  expect(listed.rows.map(({ id, keyIds }) => [id, keyIds])).toEqual([
    [second?.id, keys.slice(1)],
    [first?.id, keys],
  ]);
  expect(listAudits(store.catalog, ALL)).toEqual(listed);
  expect(listAudits(store.catalog, { limit: 1, offset: 1 }).rows).toEqual(listed.rows.slice(1));
  expect(findAudit(store.catalog, first?.id as string)).toEqual(listed.rows[1]);
  expect(Buffer.from(envelopeOf(store.catalog, first?.id as string).payload, 'base64')).toEqual(
    Buffer.from('first'),
  );
  expect(() => findAudit(store.catalog, 'none')).toThrow('there is no audit none');
});
