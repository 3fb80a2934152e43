import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Servers } from '../../../../services/cli/servers.js';
import { createWorld, serve, type World } from '../../world.js';
import { logInByKeyboard, testSiteInBrowser } from './site-in-browser.js';

let world: World;
let servers: Servers;

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

testSiteInBrowser('logging in and out works by keyboard alone', async (visit) => {
  const { page, complaints, elsewhere } = await visit(`${servers.addresses.registry}/models`);
  expect(await page.title()).toBe('Log in · Tacet registry');
  await logInByKeyboard(page, world.tokens.institution);
  await page.waitForURL('**/models');
  await page.getByRole('button', { name: 'Log out' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser(
  'the first page violates no rule of axe-core, wide and narrow, light and dark',
  async (visit) => {
    for (const width of [360, 1280])
      for (const scheme of ['light', 'dark'] as const)
        for (const token of [undefined, world.tokens.admin]) {
          const visitor = await visit(`${servers.addresses.registry}/models`, {
            width,
            scheme,
            token,
          });
          expect(await visitor.violations()).toEqual([]);
          expect(await visitor.overflow()).toBeLessThanOrEqual(0);
          expect([visitor.complaints, visitor.elsewhere]).toEqual([[], []]);
        }
  },
);
