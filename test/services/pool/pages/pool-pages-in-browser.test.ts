import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Servers } from '../../../../services/cli/servers.js';
import { openStore } from '../../../pool-store/opened-store.js';
import {
  logInByKeyboard,
  tabTo,
  testPagesInBrowser,
  testSiteInBrowser,
} from '../../http/pages/site-in-browser.js';
import { serve } from '../../world.js';
import { type FurnishedPool, furnishPool } from './furnished-pool.js';

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

testPagesInBrowser('the pages of an institution can be read by all', () => {
  const { own, world } = pool;
  const paths = [
    ...['/', '/contributions', '/contributions?state=withdrawn'],
    ...Object.values(own).map(({ id }) => `/contributions/${id}`),
    `/contributions/${own.kept.id}/withdraw`,
  ];
  return { url, token: world.tokens.institution, paths };
});

testPagesInBrowser('the pages of an operator can be read by all', () => {
  const { snapshots, foreign, world } = pool;
  const { gone, replaced, kept } = snapshots;
  const paths = [
    ...['/', '/contributions', '/snapshots', '/snapshots/new', '/quotas'],
    `/contributions/${foreign.id}`,
    ...[gone, replaced, kept].map(({ id }) => `/snapshots/${id}`),
    `/snapshots/${gone.id}/diff/${kept.id}`,
  ];
  return { url, token: world.tokens.admin, paths };
});

testSiteInBrowser(
  'pages between a phone and a desk are no wider than the window',
  async (visit) => {
    const { page, overflow } = await visit(url, { width: 700, token: pool.world.tokens.admin });
    for (const path of ['/', '/contributions', '/tokens', `/snapshots/${pool.snapshots.gone.id}`]) {
      await page.goto(url + path);
      expect([path, (await overflow()) <= 0]).toEqual([path, true]);
    }
  },
);

testSiteInBrowser('every page can be read without a script', async (visit) => {
  const { page } = await visit(url, { token: pool.world.tokens.admin, scripts: false });
  await page.goto(`${url}/log`);
  expect(await page.getByRole('button', { name: 'Verify all entries' }).isVisible()).toBe(false);
  expect(await page.getByText('tacet log fetch').isVisible()).toBe(true);
  expect(await page.getByRole('table', { name: 'Entries of the log' }).isVisible()).toBe(true);
});

testSiteInBrowser('an institution withdraws by clicking', async (visit) => {
  const { page, complaints, elsewhere } = await visit(url, {
    token: pool.world.tokens.institution,
  });
  const { id } = pool.own.copied;
  await page.getByRole('link', { name: 'Contributions' }).click();
  await page.locator(`a[href="/contributions/${id}"]`).click();
  await page.getByRole('link', { name: 'Withdraw it …' }).click();
  await page.waitForURL('**/withdraw');
  expect(await page.getByRole('main').textContent()).toContain('The pool erases its bytes');
  await page.getByRole('link', { name: 'Leave it as it is' }).click();
  expect(await withdrawn(id)).toBe(false);
  await page.getByRole('link', { name: 'Withdraw it …' }).click();
  await page.getByRole('button', { name: 'Withdraw it for good' }).click();
  await page.waitForURL(`**/contributions/${id}`);
  expect(await page.getByRole('main').textContent()).toContain('Its bytes are erased');
  expect(await withdrawn(id)).toBe(true);
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('an institution logs in and withdraws by keyboard alone', async (visit) => {
  const { page, complaints, elsewhere } = await visit(`${url}/contributions`);
  const { id } = pool.own.replaced;
  await logInByKeyboard(page, pool.world.tokens.institution);
  await page.waitForURL('**/contributions');
  await tabTo(page, `${id.slice(0, 12)}…`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${id}`);
  await tabTo(page, 'Withdraw it …');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${id}/withdraw`);
  await tabTo(page, 'Withdraw it for good');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${id}`);
  expect(await withdrawn(id)).toBe(true);
  await tabTo(page, 'Log out');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('a consumer freezes a snapshot by its form', async (visit) => {
  const { page, complaints } = await visit(`${url}/snapshots`, {
    token: pool.world.tokens.consumer,
  });
  await page.getByRole('link', { name: 'Create a snapshot' }).click();
  await page.getByLabel('Labelled entities').selectOption('replaced');
  await page.getByLabel('Institutions').fill('south-valley-childrens-hospital');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.waitForURL(/\/snapshots\/[0-9a-f]{64}$/);
  const store = await openStore(pool.world.data);
  const { institutions } = await store.snapshots.get(page.url().slice(-64));
  await store.close();
  expect(institutions).toEqual(['south-valley-childrens-hospital']);
  expect(complaints).toEqual([]);
});

/** Whether it is a tombstone without bytes. */
async function withdrawn(id: string): Promise<boolean> {
  const store = await openStore(pool.world.data);
  try {
    const digests = (await store.contributions.segmentsOf(id)).map(({ digest }) => digest);
    const sizes = await Promise.all(digests.map((digest) => store.blobs.size(digest)));
    const isErased = sizes.every((size) => size === undefined);
    expect((await store.contributions.get(id)).withdrawn !== null).toBe(isErased);
    return isErased;
  } finally {
    await store.close();
  }
}
