import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BrowserLike, browserLike } from '../../http/pages/browser-like.js';
import { sha256 } from '../../world.js';
import { type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';
import { statedRepresentation } from './realistic.js';

const MODELS = 10_000;
const NAMES = 100;
const MOST_BYTES = 100_000;

let registry: FurnishedRegistry;
let reader: BrowserLike;

beforeAll(async () => {
  registry = await furnishRegistry();
  const rows = Array.from({ length: MODELS }, (_, i) => {
    const [name, version] = [`made-${i % NAMES}`, `1.${Math.floor(i / NAMES)}.0`];
    return {
      ...{ digest: sha256(Buffer.from(`${i}`)), name, version, publisher: 'provider' },
      manifest: JSON.stringify(statedRepresentation(name, version)),
      published: new Date().toISOString(),
    };
  });
  await registry.store.catalog.write(async (transaction) => {
    for (let start = 0; start < MODELS; start += 1000)
      await transaction
        .insertInto('models')
        .values(rows.slice(start, start + 1000))
        .execute();
  });
  reader = browserLike(registry.url);
  await reader.submit('/login', { token: registry.world.tokens.admin });
});
afterAll(() => registry.close());

test.each([
  ['/models', 25, '1 – 25 of 10,006'],
  ['/models?page=200', 25, '4,976 – 5,000 of 10,006'],
  ['/models?page=401', 6, '10,001 – 10,006 of 10,006'],
  ['/models?page=402', 0, 'nothing here; 10,006 in all'],
  ['/models?search=made-7&page=3', 25, '51 – 75 of 1,100'],
])('of ten thousand models %s shows %i', async (path, rows, here) => {
  const answer = await reader.open(path);
  const markup = await answer.text();
  expect(answer.status).toBe(200);
  expect(markup.match(/<th scope="row">/g)?.length ?? 0).toBe(rows);
  expect(markup).toContain(here);
  expect(markup.length).toBeLessThan(MOST_BYTES);
});

test('of a hundred versions a page shows some, and where the others are', async () => {
  const answer = await reader.open('/models/made-7/1.50.0');
  const markup = await answer.text();
  expect(markup.length).toBeLessThan(MOST_BYTES);
  expect(markup).toContain('<a href="/models?search=made-7">All 100 versions</a>');
});
