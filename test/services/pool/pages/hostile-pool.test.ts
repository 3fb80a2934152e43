import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Servers } from '../../../../services/cli/servers.js';
import { openStore } from '../../../pool-store/opened-store.js';
import { type BrowserLike, loggedIn } from '../../http/pages/browser-like.js';
import { HARM, unescaped } from '../../http/pages/injections.js';
import { testSiteInBrowser } from '../../http/pages/site-in-browser.js';
import { serve, type World } from '../../world.js';
import { type Hostile, hostilePool } from './hostile-pool.js';

let world: World;
let hostile: readonly Hostile[];
let servers: Servers;
let url: string;
let operator: BrowserLike;

beforeAll(async () => {
  ({ world, hostile } = await hostilePool());
  servers = await serve({ data: world.data });
  url = servers.addresses.pool ?? '';
  operator = await loggedIn(url, world.tokens.admin);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

/** Text that was written into a store, shown by a page as it is, and never as markup. */
function expectShown(markup: string, written: readonly string[]): void {
  const text = unescaped(markup);
  for (const each of written) {
    expect(text).toContain(each);
    if (/[<"]/.test(each)) expect(markup).not.toContain(each);
  }
}

const opened = async (path: string, browser = operator) => {
  const answer = await browser.open(path);
  expect(answer.status).toBe(200);
  return answer.text();
};

test('there are hundreds of injections in ten fields', () => {
  const all = new Set(hostile.flatMap(({ written }) => Object.values(written)));
  expect(all.size).toBeGreaterThan(400);
});

test('the page of a contribution shows name, terms, model and runs as text', async () => {
  for (const { contribution, written } of hostile) {
    const { institution, terms, model, run, trainer } = written;
    const markup = await opened(`/contributions/${contribution}`);
    expectShown(markup, [institution, terms, model, run, trainer]);
    expectShown(await opened(`/contributions/${contribution}/withdraw`), [institution]);
  }
});

test('the page of a snapshot shows names, runs and trainers as text', async () => {
  for (const { snapshot, written } of hostile) {
    const { institution, model, run, version, trainer } = written;
    const markup = await opened(`/snapshots/${snapshot}`);
    expectShown(markup, [institution, model, run, version, trainer]);
  }
  for (const [index, { snapshot, written }] of hostile.slice(1).entries()) {
    const markup = await opened(`/snapshots/${hostile[index].snapshot}/diff/${snapshot}`);
    expectShown(markup, [written.institution, hostile[index].written.institution]);
  }
});

test('lists show all names as text', async () => {
  const all = (field: keyof Hostile['written']) => hostile.map(({ written }) => written[field]);
  expectShown(await opened('/contributions'), [...all('institution'), ...all('model')]);
  expectShown(await opened('/snapshots'), all('model'));
  expectShown(await opened('/snapshots/new'), all('model'));
  expectShown(await opened('/quotas'), all('institution'));
  expectShown(await opened('/identities'), all('identity'));
  const tokens = (await opened('/tokens')) + (await opened('/tokens?page=2'));
  expectShown(tokens, all('token'));
});

test('pages that ask once more show names as text', async () => {
  for (const { keyId, tokenId, written } of hostile) {
    expectShown(await opened(`/identities/${keyId}/approve`), [written.identity]);
    expectShown(await opened(`/tokens/${tokenId}/rotate`), [written.token]);
    expectShown(await opened(`/tokens/${tokenId}/revoke`), [written.token]);
  }
});

test('the pages of a hostile name show it as text to itself', async () => {
  for (const { token, written } of hostile) {
    const own = await loggedIn(url, token);
    expectShown(await opened('/', own), [written.token]);
    expectShown(await opened('/contributions', own), [written.token]);
  }
});

test('the log shows every detail as text', async () => {
  let markup = '';
  for (let page = 1; page <= (await pagesOfLog()); page++)
    markup += await opened(`/log?page=${page}`);
  const logged = hostile.flatMap(({ written: { terms: _, ...others } }) => Object.values(others));
  expectShown(markup, logged);
});

testSiteInBrowser('nothing of it runs, asks or loads anything in a browser', async (visit) => {
  const { page, complaints, elsewhere } = await visit(url, { token: world.tokens.admin });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const lists = ['/', '/contributions', '/snapshots', '/snapshots/new', '/quotas', '/identities'];
  const paths = [
    ...lists,
    ...['/tokens', '/tokens?page=2'],
    ...Array.from({ length: await pagesOfLog() }, (_, index) => `/log?page=${index + 1}`),
    ...hostile.flatMap(({ contribution, snapshot, keyId, tokenId }) => [
      `/contributions/${contribution}`,
      `/snapshots/${snapshot}`,
      `/identities/${keyId}/approve`,
      `/tokens/${tokenId}/revoke`,
    ]),
  ];
  for (const path of paths) {
    await page.goto(url + path);
    expect([path, new URL(page.url()).href]).toEqual([path, url + path]);
    const found = await page.evaluate(
      `[globalThis.${HARM}, document.querySelectorAll('main :is(script, img, iframe, object, embed, base, meta, style)').length]`,
    );
    expect([path, found]).toEqual([path, [undefined, 0]]);
  }
  expect([dialogs, complaints, elsewhere]).toEqual([[], [], []]);
});

async function pagesOfLog(): Promise<number> {
  const store = await openStore(world.data);
  const { sequence } = await store.log.head();
  await store.close();
  return Math.ceil(sequence / 50);
}
