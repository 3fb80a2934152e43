import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browserLike } from '../../http/pages/browser-like.js';
import { testSiteInBrowser } from '../../http/pages/site-in-browser.js';
import { attachAudit, type FurnishedRegistry, furnishRegistry } from './furnished-registry.js';
import { HOSTILE_FIELDS, hostileAudit, hostileCurve, hostileManifest } from './hostile-model.js';
import { PAYLOADS } from './payloads.js';
import { publishModel } from './published-model.js';
import { textOf } from './text-of.js';

const HARMLESS = 'harmless';
const TEXTS = [HARMLESS, ...PAYLOADS];
const VERSIONS = ['1.0.0', '1.1.0'];
const nameOf = (n: number) => `hostile-${n}`;

let registry: FurnishedRegistry;
/** Of each model, the n-th of which says the n-th text. */
const audits: string[] = [];

beforeAll(async () => {
  registry = await furnishRegistry();
  const { store, world } = registry;
  for (const [n, text] of TEXTS.entries())
    for (const version of VERSIONS) {
      const model = await publishModel(store, {
        ...{ publisher: 'provider', keys: [world.keys.provider] },
        published: `2026-04-01T00:00:${version.slice(2, 3)}0.000Z`,
        fields: hostileManifest(nameOf(n), version, version === '1.1.0' ? HARMLESS : text),
        curve: hostileCurve(text),
      });
      if (version === '1.1.0') continue;
      await store.models.setStatus(model.name, version, 'deprecated', text);
      const report = hostileAudit(model.digest, text);
      audits.push(await attachAudit(store, model, report, world.keys.auditor));
    }
});
afterAll(() => registry.close());

const pathsOf = (n: number) => [
  `/models/${nameOf(n)}/1.0.0`,
  `/models/${nameOf(n)}/1.0.0/audits`,
  `/models/${nameOf(n)}/1.0.0/audits/${audits[n]}`,
  `/models/${nameOf(n)}/1.0.0/revoke`,
  `/models/${nameOf(n)}/1.0.0/alias`,
];

test('there are more than two hundred', () => {
  expect(PAYLOADS.length * HOSTILE_FIELDS).toBeGreaterThan(200);
});

/** Its elements with the names of their attributes: all that markup is, without what it says. */
const SKELETON = `[...document.querySelectorAll('*')]
  .map(({ tagName, attributes }) => [tagName, ...[...attributes].map(({ name }) => name)].join(' '))`;
const STRAYS = `[...document.querySelectorAll(
  'script, img, iframe, object, embed, base, style, meta[http-equiv], a[href^="javascript:" i]'
)].map(({ outerHTML }) => outerHTML)`;

/** Visits pages for what they are made of; `quiet` says that no dialog, complaint or request came of it. */
async function inspector(visit: Parameters<Parameters<typeof testSiteInBrowser>[1]>[0]) {
  const { page, complaints, elsewhere } = await visit(`${registry.url}/models`, {
    token: registry.world.tokens.admin,
  });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return {
    async skeletonOf(path: string) {
      await page.goto(registry.url + path);
      expect([path, await page.evaluate(STRAYS)]).toEqual([path, []]);
      return (await page.evaluate(SKELETON)) as string[];
    },
    quiet: () => expect([dialogs, complaints, elsewhere]).toEqual([[], [], []]),
  };
}

const PER_TEST = 8;

for (let first = 1; first <= PAYLOADS.length; first += PER_TEST)
  testSiteInBrowser(
    `nothing that a provider or an auditor writes becomes markup, from ${first} on`,
    async (visit) => {
      const { skeletonOf, quiet } = await inspector(visit);
      const expected: string[][] = [];
      for (const path of pathsOf(0)) expected.push(await skeletonOf(path));
      for (let n = first; n < Math.min(first + PER_TEST, TEXTS.length); n++) {
        for (const [at, path] of pathsOf(n).entries())
          expect([path, await skeletonOf(path)]).toEqual([path, expected[at]]);
        await skeletonOf(`/models/${nameOf(n)}/compare/1.0.0/1.1.0`);
      }
      quiet();
    },
  );

testSiteInBrowser('nor does any of it in lists', async (visit) => {
  const { skeletonOf, quiet } = await inspector(visit);
  for (const list of ['/models', '/audits'])
    for (const part of [1, 2, 3]) await skeletonOf(`${list}?page=${part}`);
  quiet();
});

testSiteInBrowser('nothing that is searched for becomes markup', async (visit) => {
  const { page, complaints, elsewhere } = await visit(`${registry.url}/models`, {
    token: registry.world.tokens.admin,
  });
  for (const payload of PAYLOADS)
    for (const field of ['search', 'language']) {
      await page.goto(`${registry.url}/models?${new URLSearchParams({ [field]: payload })}`);
      expect([payload, await page.evaluate(STRAYS)]).toEqual([payload, []]);
    }
  expect([complaints, elsewhere]).toEqual([[], []]);
});

test.each(TEXTS.map((text, n) => [n, text] as const))(
  'what is written is shown as it was written: %i',
  async (n, text) => {
    const browser = browserLike(registry.url);
    await browser.submit('/login', { token: registry.world.tokens.auditor });
    const markup = await (await browser.open(`/models/${nameOf(n)}/1.0.0`)).text();
    expect(markup).not.toMatch(/[^\P{Cc}\t\n\r]/u);
    const readable = text.replace(/[^\P{Cc}\t\n\r]|\p{Surrogate}/gu, '\ufffd');
    const reason = /Why: <bdi>(.*?)<\/bdi>/s.exec(markup)?.[1] ?? '';
    expect(reason).not.toContain('<');
    expect(textOf(reason).replace(/\ufffd+/g, '\ufffd')).toBe(readable);
  },
);

test.each([
  ['evil.example$(touch$IFS)', "--registry 'http://evil.example$(touch$ifs)'"],
  ['evil.example"><script>alert(1)</script>', '--registry http://this-server.example'],
  ["evil.example';x", "--registry 'http://evil.example'\\'';x'"],
])('the name by which a client calls the registry runs nothing: %s', async (host, expected) => {
  const browser = browserLike(registry.url);
  await browser.submit('/login', { token: registry.world.tokens.auditor });
  const [cookie] = [...browser.cookies].map((pair) => pair.join('='));
  const markup = await new Promise<string>((resolve, reject) => {
    request(
      `${registry.url}/models/letters/2.0.0`,
      { headers: { Host: host, Cookie: cookie } },
      async (answer) => resolve((await answer.setEncoding('utf8').toArray()).join('')),
    )
      .on('error', reject)
      .end();
  });
  expect(markup).not.toContain('<script>');
  expect(textOf(markup)).toContain(expected);
});
