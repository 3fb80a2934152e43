import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from '../../../../pool-store/catalog/kysely.js';
import { changeRows } from '../../../pool-store/changed-rows.js';
import { type BrowserLike, browserLike } from '../../http/pages/browser-like.js';
import { type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';

let registry: FurnishedRegistry;
let reader: BrowserLike;

beforeAll(async () => {
  registry = await furnishRegistry();
  reader = browserLike(registry.url);
  await reader.submit('/login', { token: registry.world.tokens.consumer });
});
afterAll(() => registry.close());

const PATHS = [
  '/models',
  '/models?language=en',
  '/models/letters/2.0.0',
  '/models/letters/2.0.0/audits',
  '/models/letters/compare/1.1.0/2.0.0',
  '/audits',
];

const requireAllShown = async () => {
  for (const path of [...PATHS, `/models/letters/2.0.0/audits/${registry.audits[0]}`])
    expect([path, (await reader.open(path)).status]).toEqual([path, 200]);
};
const change = (statement: RawBuilder<unknown>) => changeRows(registry.store.catalog, statement);

test.each([
  ['no JSON', '{'],
  ['another thing', '[1]'],
  ['nothing', 'null'],
  ['of a later version', '{"kind":"oracle","training":{"language":["en"]}}'],
])('a manifest that is %s breaks no page', async (_what, manifest) => {
  const { digest } = await registry.store.models.get('letters', '2.0.0');
  await change(sql`UPDATE models SET manifest = ${manifest} WHERE digest = ${digest}`);
  await requireAllShown();
  expect(await (await reader.open('/models')).text()).toContain('its manifest cannot be read');
});

test.each([
  ['no envelope', '{'],
  ['another thing', '{"payload":7}'],
  ['of a later version', `{"payload":"${btoa('{"format":"tacet-audit-99"}')}"}`],
])('an audit that is %s breaks no page', async (_what, envelope) => {
  const [id] = registry.audits;
  await change(sql`UPDATE audits SET envelope = ${envelope} WHERE id = ${id}`);
  await requireAllShown();
  const path = `/models/letters/2.0.0/audits/${registry.audits[0]}`;
  expect(await (await reader.open(path)).text()).toContain('cannot be read by this version');
});

test('a training curve that is none breaks no page', async () => {
  const { models } = registry.store;
  const { digest } = await models.get('notas', '1.0.0');
  const card = (await models.filesOf(digest))['MODEL_CARD.md'] as string;
  await change(sql`INSERT INTO model_files VALUES (${digest}, 'training.json', ${card})`);
  expect(await (await reader.open('/models/notas/1.0.0')).text()).toContain(
    'Its training curve cannot be read',
  );
});

test('signatures whose file is gone break no page', async () => {
  const { models, blobs } = registry.store;
  const file = (await models.filesOf((await models.get('notas', '1.0.0')).digest))[
    'signature.json'
  ] as string;
  await blobs.erase(file);
  const answer = await reader.open('/models/notas/1.0.0');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('The file of its signatures cannot be read here');
});
