import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  LOOKS,
  logInByKeyboard,
  tabTo,
  testSiteInBrowser,
} from '../../http/pages/site-in-browser.js';
import { type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';

let registry: FurnishedRegistry;

beforeEach(async () => {
  registry = await furnishRegistry();
});
afterEach(() => registry.close());

const MODEL = '/models/letters/2.0.0';
const pathsOf = ({ audits }: FurnishedRegistry) => [
  ...['/models', '/models?search=nobody', MODEL, '/models/letters/1.0.0', '/models/lector/1.0.0'],
  ...['/models/bare/0.1.0', `${MODEL}/audits`, `${MODEL}/audits/${audits[0]}`, '/audits'],
  ...['/models/letters/compare/1.0.0/2.0.0', `${MODEL}/deprecate`, `${MODEL}/revoke`],
  ...[`${MODEL}/alias`, '/models/nobody/1.0.0'],
];

for (const { width, scheme } of LOOKS)
  testSiteInBrowser(`every page passes axe-core, ${width} wide and ${scheme}`, async (visit) => {
    const visitor = await visit(`${registry.url}/models`, {
      ...{ width, scheme, token: registry.world.tokens.admin },
    });
    const { page, violations, overflow, complaints, elsewhere } = visitor;
    for (const path of pathsOf(registry)) {
      await page.goto(registry.url + path);
      expect([path, await violations(), await overflow()]).toEqual([path, [], 0]);
    }
    const unexpected = complaints.filter((complaint) => !complaint.includes('404'));
    expect([unexpected, elsewhere]).toEqual([[], []]);
  });

testSiteInBrowser('an officer finds a model and its audit by keyboard alone', async (visit) => {
  const { page, complaints, elsewhere } = await visit(`${registry.url}/models`, { scripts: false });
  await logInByKeyboard(page, registry.world.tokens.institution);
  await page.waitForURL('**/models');
  await tabTo(page, 'Name');
  await page.keyboard.type('letters');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/models?search=letters*');
  await tabTo(page, 'letters 2.0.0');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${MODEL}`);
  expect(await page.getByRole('region', { name: 'Certified limits' }).textContent()).toContain(
    '54.0 %',
  );
  await tabTo(page, 'Audit of letters 2.0.0');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${MODEL}/audits/*`);
  await page.getByRole('heading', { name: 'Limits of every attack' }).waitFor();
  await tabTo(page, 'letters 2.0.0');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${MODEL}`);
  expect([complaints, elsewhere]).toEqual([[], []]);
});

testSiteInBrowser('a publisher revokes a model by clicking', async (visit) => {
  const { page, complaints } = await visit(`${registry.url}/models`, {
    token: registry.world.tokens.provider,
  });
  await page.getByRole('link', { name: 'letters 2.0.0' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke it for good' });
  await revoke.click();
  // Without a reason nothing is sent.
  expect((await registry.store.models.get('letters', '2.0.0')).status).toBe('published');
  await page.getByLabel('Why').fill('it leaks <b>names</b>');
  await revoke.click();
  await page.getByText('Revoked, for good: encoders refuse this model.').waitFor();
  expect(new URL(page.url()).pathname).toBe(MODEL);
  expect(await page.locator('.notice').textContent()).toContain('it leaks <b>names</b>');
  expect(await registry.store.models.get('letters', '2.0.0')).toEqual(
    expect.objectContaining({ status: 'revoked', reason: 'it leaks <b>names</b>' }),
  );
  expect(await page.getByRole('link', { name: 'Revoke' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

testSiteInBrowser('an administrator deprecates a model and moves an alias', async (visit) => {
  const { models } = registry.store;
  const { page, complaints } = await visit(`${registry.url}/models/notas/1.0.0`, {
    token: registry.world.tokens.admin,
  });
  await page.getByRole('link', { name: 'Deprecate' }).click();
  await page.getByLabel('Why').fill('superseded');
  await page.getByRole('button', { name: 'Deprecate it' }).click();
  await page.getByText('Deprecated: its publisher advises against it').waitFor();
  expect((await models.get('notas', '1.0.0')).status).toBe('deprecated');

  await page.goto(`${registry.url}/models/letters/1.1.0`);
  await page.getByRole('link', { name: 'Set an alias' }).click();
  await page.getByRole('textbox', { name: 'Alias' }).fill('stable');
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.waitForURL('**/models/letters/1.1.0');
  expect((await models.get('letters', 'stable')).version).toBe('1.1.0');
  expect(complaints).toEqual([]);
});
