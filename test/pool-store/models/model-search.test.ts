import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../pool-store/catalog/kysely.js';
import { envelopeOf, findAudit, listAudits } from '../../../pool-store/models/audit-list.js';
import {
  aliasesOfName,
  searchModels,
  statedLanguages,
  versionsOf,
} from '../../../pool-store/models/model-search.js';
import type { Store } from '../../../pool-store/store.js';
import { sha256 } from '../../services/world.js';
import { changeRows } from '../changed-rows.js';
import { openStore } from '../opened-store.js';

const COUNT = 120;
const ALL = { limit: 1000, offset: 0 };

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-models-'));
  store = await openStore(directory);
  for (let i = 0; i < COUNT; i++) {
    const manifest = {
      kind: i % 3 === 0 ? 'pipeline' : 'representation',
      training: i % 2 === 0 ? { language: 'en' } : { language: 7 },
    };
    const model = { digest: sha256(Buffer.from(`${i}`)), name: `n${i % 10}`, version: `0.0.${i}` };
    await store.models.publish({ ...model, manifest, publisher: 'p', files: {} });
    const time = `2026-01-01T00:00:${String(i % 60).padStart(2, '0')}.000Z`;
    await changeRows(
      store.catalog,
      sql`UPDATE models SET published = ${time} WHERE digest = ${model.digest}`,
    );
  }
  await store.models.setStatus('n0', '0.0.0', 'revoked', 'why');
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('models', () => {
  test('are found part by part, newest first, each once', async () => {
    const parts = await Promise.all(
      Array.from({ length: 13 }, (_, i) =>
        searchModels(store.catalog, {}, { limit: 10, offset: 10 * i }),
      ),
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
  ] as const)('are narrowed by %j', async (filter, expected) => {
    const { rows, total } = await searchModels(store.catalog, filter, ALL);
    expect([rows.length, total]).toEqual([expected, expected]);
  });

  test('have versions under their name, newest first', async () => {
    const { rows, total } = await versionsOf(store.catalog, 'n4', { limit: 5, offset: 0 });
    expect([rows.length, total]).toEqual([5, 12]);
    expect(rows.every(({ name }) => name === 'n4')).toBe(true);
  });

  test('state languages, as text', async () => {
    expect(await statedLanguages(store.catalog, 10)).toEqual(['7', 'en']);
  });

  test('have aliases', async () => {
    await store.models.setAlias('n4', 'stable', '0.0.4');
    await store.models.setAlias('n4', 'old', '0.0.14');
    expect(await aliasesOfName(store.catalog, 'n4', 10)).toEqual([
      { alias: 'old', version: '0.0.14' },
      { alias: 'stable', version: '0.0.4' },
    ]);
  });
});

test('audits are listed newest first, one for each report, whoever signed it', async () => {
  const { digest } = await store.models.get('n4', '0.0.4');
  const keys = ['aa', 'bb'].map((pair) => pair.repeat(32));
  for (const key of keys)
    await changeRows(
      store.catalog,
      sql`INSERT INTO identities VALUES (${key}, 'auditor', ${Buffer.alloc(1)}, 't', 't', NULL)`,
    );
  const envelope = (text: string) => ({
    ...{ payloadType: 'type', payload: Buffer.from(text).toString('base64') },
    signatures: keys.map((keyid) => ({ keyid, sig: '' })),
  });
  const [first] = await store.audits.attach(digest, keys, envelope('first'));
  await changeRows(
    store.catalog,
    sql`UPDATE audits SET attached = '2026-01-01' WHERE id = ${first?.id as string}`,
  );
  const [second] = await store.audits.attach(digest, keys.slice(1), envelope('second'));
  const listed = await listAudits(store.catalog, ALL, digest);
  expect(listed.total).toBe(2);
  expect(listed.rows.map(({ id, keyIds }) => [id, keyIds])).toEqual([
    [second?.id, keys.slice(1)],
    [first?.id, keys],
  ]);
  expect(await listAudits(store.catalog, ALL)).toEqual(listed);
  expect((await listAudits(store.catalog, { limit: 1, offset: 1 })).rows).toEqual(
    listed.rows.slice(1),
  );
  expect(await findAudit(store.catalog, first?.id as string)).toEqual(listed.rows[1]);
  expect(
    Buffer.from((await envelopeOf(store.catalog, first?.id as string)).payload, 'base64'),
  ).toEqual(Buffer.from('first'));
  await expect(findAudit(store.catalog, 'none')).rejects.toThrow('there is no audit none');
});
