import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Catalog } from '../../../../../pool-store/catalog/catalog.js';
import { sql } from '../../../../../pool-store/catalog/kysely.js';
import type { Store } from '../../../../../pool-store/store.js';
import type { Servers } from '../../../../../services/cli/servers.js';
import { changeRows } from '../../../../pool-store/changed-rows.js';
import { openStore } from '../../../../pool-store/opened-store.js';
import { type FurnishedPool, furnishPool } from '../../../pool/pages/furnished-pool.js';
import { serve } from '../../../world.js';
import { tabTo, testPagesInBrowser, testSiteInBrowser } from '../site-in-browser.js';

let pool: FurnishedPool;
let servers: Servers;
let url: string;

beforeAll(async () => {
  pool = await furnishPool();
  servers = await serve(pool.world);
  url = servers.addresses.pool ?? '';
});
afterAll(async () => {
  await servers.close();
  pool.world.remove();
});

const inStore = async <T>(read: (store: Store) => T | Promise<T>): Promise<T> => {
  const store = await openStore(pool.world.data);
  try {
    return await read(store);
  } finally {
    await store.close();
  }
};

testPagesInBrowser('the pages of every store can be read by all', () => ({
  url: servers.addresses.registry ?? '',
  token: pool.world.tokens.admin,
  paths: [
    ...['/identities', `/identities/${pool.waitingKey}/approve`],
    ...['/tokens', '/tokens/new', `/tokens/${pool.spareToken}/rotate`],
    `/tokens/${pool.spareToken}/revoke`,
    ...['/log', '/log/head'],
  ],
}));

testSiteInBrowser('an operator compares and approves a key by keyboard alone', async (visit) => {
  const { page, complaints, elsewhere } = await visit(url, { token: pool.world.tokens.admin });
  await tabTo(page, '1 key waits for somebody to compare and approve');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/identities');
  expect(await page.getByText(pool.waitingKey, { exact: true }).isVisible()).toBe(true);
  await tabTo(page, 'Approve a key of east-clinic');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/approve');
  expect(await inStore(({ identities }) => identities.waiting())).toBe(1);
  await tabTo(page, 'Approve');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/identities');
  expect(await inStore(({ identities }) => identities.waiting())).toBe(0);
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('an operator makes, renews and revokes a token by clicking', async (visit) => {
  const { page, complaints, elsewhere, violations } = await visit(`${url}/tokens`, {
    token: pool.world.tokens.admin,
  });
  const find = (secret: string) => inStore(({ tokens }) => tokens.find(secret));
  const secret = async () => (await page.locator('pre.command').textContent()) ?? '';
  await page.getByRole('link', { name: 'Create a token' }).click();
  await page.getByLabel('Role').selectOption('institution');
  await page.getByLabel('Name').fill('west-hospital');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('It is shown this once.').waitFor();
  expect(await violations()).toEqual([]);
  const first = await secret();
  expect(await find(first)).toMatchObject({
    role: 'institution',
    name: 'west-hospital',
    expires: null,
  });
  await page.getByRole('link', { name: 'Back to the tokens' }).click();
  await page.getByRole('link', { name: 'Rotate the token of west-hospital' }).click();
  expect(await find(first)).toBeDefined();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByText('It is shown this once.').waitFor();
  const second = await secret();
  expect([await find(first), (await find(second))?.name]).toEqual([undefined, 'west-hospital']);
  await page.goto(`${url}/tokens`);
  await page.getByRole('link', { name: 'Revoke the token of west-hospital' }).click();
  expect(await find(second)).toBeDefined();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.waitForURL('**/tokens');
  expect(await find(second)).toBeUndefined();
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('an auditor has the browser verify the log', async (visit) => {
  const kept = await inStore(({ log }) => log.head());
  await inStore(({ tokens }) => tokens.create({ role: 'auditor', name: 'later' }));
  const { page, complaints, elsewhere, violations, overflow } = await visit(`${url}/log`, {
    token: pool.world.tokens.auditor,
    width: 360,
  });
  const result = page.getByRole('status');
  const verify = async (head: string, says: string) => {
    await page.getByLabel('A head that you kept').fill(head);
    await page.getByRole('button', { name: 'Verify all entries' }).click();
    await result.getByText(says).waitFor();
  };
  await verify('', `All ${kept.sequence + 1} entries follow from one another`);
  await verify(JSON.stringify(kept), `entry ${kept.sequence} is the head that you kept`);
  expect(await violations()).toEqual([]);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await verify(kept.hash, '1 entry was added since');
  await verify('f'.repeat(64), 'it is the head of another log');
  await verify('nonsense', 'is no head of a log');
  const detail = await inStore(async ({ catalog, log }) => {
    const details = JSON.stringify((await log.entries(4, 1))[0].details);
    await setDetails(catalog, '{"role":"admin","name":"somebody"}');
    return details;
  });
  await verify('', 'Entry 5 does not follow from the one before it');
  await inStore(({ catalog }) => setDetails(catalog, detail));
  await verify(`${kept.sequence} ${kept.hash}`, 'nothing up to it was altered');
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('whoever was logged out meanwhile is told so', async (visit) => {
  const { page } = await visit(`${url}/log`, { token: pool.world.tokens.auditor });
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Verify all entries' }).click();
  await page.getByRole('status').getByText('not logged in any more').waitFor();
});

function setDetails(catalog: Catalog, details: string): Promise<void> {
  return changeRows(catalog, sql`UPDATE log SET details = ${details} WHERE sequence = 5`);
}
