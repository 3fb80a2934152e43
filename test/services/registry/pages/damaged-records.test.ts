import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
const change = (sql: string, ...values: string[]) => registry.store.catalog.run(sql, ...values);

test.each([
  ['no JSON', '{'],
  ['another thing', '[1]'],
  ['nothing', 'null'],
  ['of a later version', '{"kind":"oracle","training":{"language":["en"]}}'],
])('a manifest that is %s breaks no page', async (_what, manifest) => {
  const { digest } = registry.store.models.get('letters', '2.0.0');
  change('UPDATE models SET manifest = ? WHERE digest = ?', manifest, digest);
  await requireAllShown();
  expect(await (await reader.open('/models')).text()).toContain('its manifest cannot be read');
});

test.each([
  ['no envelope', '{'],
  ['another thing', '{"payload":7}'],
  ['of a later version', `{"payload":"${btoa('{"format":"tacet-audit-99"}')}"}`],
])('an audit that is %s breaks no page', async (_what, envelope) => {
  change('UPDATE audits SET envelope = ? WHERE id = ?', envelope, registry.audits[0] as string);
  await requireAllShown();
  const path = `/models/letters/2.0.0/audits/${registry.audits[0]}`;
  expect(await (await reader.open(path)).text()).toContain('cannot be read by this version');
});

test('a training curve that is none breaks no page', async () => {
  const { models } = registry.store;
  const { digest } = models.get('notas', '1.0.0');
  const card = models.filesOf(digest)['MODEL_CARD.md'] as string;
  change("INSERT INTO model_files VALUES (?, 'training.json', ?)", digest, card);
  expect(await (await reader.open('/models/notas/1.0.0')).text()).toContain(
    'Its training curve cannot be read',
  );
});

test('signatures whose file is gone break no page', async () => {
  const { models, blobs } = registry.store;
  const file = models.filesOf(models.get('notas', '1.0.0').digest)['signature.json'] as string;
  await blobs.erase(file);
  const answer = await reader.open('/models/notas/1.0.0');
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('The file of its signatures cannot be read here');
});
