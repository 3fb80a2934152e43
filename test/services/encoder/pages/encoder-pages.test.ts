import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../../../../models/text/document.js';
import { browserLike, cookieOf, loggedIn, statusesOf } from '../../http/pages/browser-like.js';
import { HARM, INJECTIONS } from '../../http/pages/injections.js';
import { LOOKS, testSiteInBrowser } from '../../http/pages/site-in-browser.js';
import { notesOfDistinctLengths } from '../../institution/notes.js';
import { type ServedEncoder, serveEncoder } from './served-encoder.js';

const NOTE = 'Alpha beta wrote to ann@example.org.\nGamma delta, epsilon.';
const PAGES = ['/', '/share', '/jobs', '/models'];
const FIELDS = { treatment: 'tag', language: 'en', threshold: '' };

let encoder: ServedEncoder;

beforeAll(async () => {
  encoder = await serveEncoder({ notes: labelledNotes(30) });
});
afterAll(() => encoder.close());

/** The first word of the first is labelled. */
function labelledNotes(count: number): Document[] {
  const [first, ...others] = notesOfDistinctLengths(count) as [Document, ...Document[]];
  return [{ ...first, spans: [{ type: 'PHI', start: 0, end: first.text.length - 1 }] }, ...others];
}

describe('a note', () => {
  test('is shown with its PHI marked, and without it beside that', async () => {
    const answer = await browserLike(encoder.url).submit('/', { text: NOTE, ...FIELDS });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const markup = await answer.text();
    expect(markup).toMatch(/<mark class="phi">ann@example\.org<span class="type">\S+ \d+ %/);
    const cleaned = /id="cleaned-text"[^>]*>([^<]*)</.exec(markup)?.[1];
    expect(cleaned).toBeDefined();
    expect(cleaned).not.toContain('ann@example.org');
  });

  test('is read at a percentage with decimals, by a point or a comma, and at none that is no percentage', async () => {
    const at = (threshold: string) =>
      browserLike(encoder.url).submit('/', { text: NOTE, ...FIELDS, threshold });
    for (const threshold of ['0.05', '12,5', '99.95', '100'])
      expect((await at(threshold)).status).toBe(200);
    for (const threshold of ['0', '0.0', '100.5', '-1', '1e1', '12.'])
      expect((await at(threshold)).status).toBe(400);
  });

  test('is given to no translation and no spelling check of a browser, and kept in none of its files', async () => {
    const answer = await browserLike(encoder.url).submit('/', { text: NOTE, ...FIELDS });
    const markup = await answer.text();
    const field = /<textarea[^>]*>/.exec(markup)?.[0];
    for (const each of ['translate="no"', 'spellcheck="false"', 'autocomplete="off"'])
      expect(field).toContain(each);
    const shown = markup.match(/<div class="text"[^>]*>/g) ?? [];
    expect(shown).toHaveLength(2);
    for (const each of shown) expect(each).toContain('translate="no"');
  });

  test('becomes no markup, and reaches no log', async () => {
    const payloads = [...INJECTIONS, '\u0000\u0008\ud800 odd'];
    const before = encoder.log().length;
    for (const payload of payloads) {
      const text = `Zanzibar7 ${payload} beta`;
      const answer = await browserLike(encoder.url).submit('/', { text, ...FIELDS });
      const markup = await answer.text();
      if (/[<"]/.test(payload)) expect(markup).not.toContain(payload);
      for (const control of ['\u0000', '\u0008']) expect(markup).not.toContain(control);
    }
    expect(encoder.log().slice(before)).not.toContain('Zanzibar7');
  });

  test('of a megabyte is answered', async () => {
    const text = `${'alpha beta gamma delta.\n'.repeat(43_000)}bob@example.org`;
    const answer = await browserLike(encoder.url).submit('/', { text, ...FIELDS });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<mark class="phi">bob@example.org');
  });

  test('is not taken from a page of elsewhere', async () => {
    const browser = browserLike(encoder.url);
    const headers = { Origin: 'https://other.example' };
    expect((await browser.submit('/', { text: NOTE, ...FIELDS }, headers)).status).toBe(403);
  });

  test('with a form that is not ours is refused, naming the field and not what stood in it', async () => {
    const answer = await browserLike(encoder.url).submit('/', {
      ...FIELDS,
      text: 'Secret17',
      treatment: 'annotate',
    });
    expect(answer.status).toBe(400);
    const markup = await answer.text();
    expect(markup).toContain('treatment');
    expect(markup).not.toContain('Secret17');
  });
});

describe('what would leave', () => {
  test('is looked at first, and leaves when somebody says so, once', async () => {
    const browser = browserLike(encoder.url);
    const begun = await browser.submit('/share', { input: '.', copies: '1' });
    expect(begun.status).toBe(303);
    const dry = begun.headers.get('location') ?? '';
    await encoder.service.jobs.result(dry.replace('/jobs/', ''));
    const looked = await (await browser.open(dry)).text();
    expect(looked).toContain('30 sentences of 30 notes');
    expect(looked).toContain('0 sentences, 0 tokens');
    const released = (await browser.submit(`${dry}/release`, {})).headers.get('location') ?? '';
    await encoder.service.jobs.result(released.replace('/jobs/', ''));
    expect(await (await browser.open(released)).text()).toMatch(/Has left<\/dt><dd>30 sentences/);
    expect((await browser.submit(`${released}/release`, {})).status).toBe(404);
    expect(await (await browser.open('/share')).text()).toMatch(/Sentences<\/dt><dd>30,/);
  });

  test.each(['../..', '/etc', 'nowhere'])('is never outside the input: %s', async (input) => {
    const browser = browserLike(encoder.url);
    const answer = await browser.submit('/share', { input, copies: '1' });
    expect(answer.status).toBe(404);
    const markup = await answer.text();
    expect(markup).toContain('no such file below the input directory');
    expect(markup).not.toContain('tacet-encoder-pages');
  });
});

describe('with a token', () => {
  let guarded: ServedEncoder;
  beforeAll(async () => {
    guarded = await serveEncoder({ token: 'a-token-of-more; than sixteen' });
  });
  afterAll(() => guarded.close());

  test.each(PAGES)('%s is for its holder alone', async (path) => {
    const stranger = browserLike(guarded.url);
    expect((await stranger.open(path)).headers.get('location')).toMatch(/^\/login\?to=/);
    expect((await stranger.submit('/', { text: NOTE, ...FIELDS })).status).toBe(401);
    const holder = browserLike(guarded.url);
    await holder.submit('/login', { token: 'a-token-of-more; than sixteen' });
    expect((await holder.open(path)).status).toBe(200);
  });

  test('a cookie holds no token, but a session that logging out ends', async () => {
    const token = 'a-token-of-more; than sixteen';
    const holder = await loggedIn(guarded.url, token);
    const value = cookieOf(holder, 'tacet-encoder');
    expect(value).toMatch(/^[\w-]{43}$/);
    const statuses = (text: string) =>
      statusesOf(guarded.url, ['/models', '/v1/jobs'], 'tacet-encoder', text);
    expect(await statuses(value)).toEqual([200, 401]);
    // Nor is the token a cookie.
    expect((await statuses(token))[0]).toBe(303);
    await holder.submit('/logout', {});
    expect(await statuses(value)).toEqual([303, 401]);
  });
});

test('other names of this address reach nothing', async () => {
  const { request } = await import('node:http');
  const { port } = new URL(encoder.url);
  const status = await new Promise((resolve) => {
    request(
      { port, host: '127.0.0.1', path: '/', headers: { Host: 'rebound.example' } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    ).end();
  });
  expect(status).toBe(403);
});

describe('in a browser', () => {
  testSiteInBrowser(
    'every page passes axe-core, wide and narrow, light and dark',
    async (visit) => {
      for (const look of LOOKS)
        for (const path of PAGES) {
          const visitor = await visit(encoder.url + path, look);
          expect(await visitor.violations()).toEqual([]);
          expect(await visitor.overflow()).toBeLessThanOrEqual(0);
          expect([visitor.complaints, visitor.elsewhere]).toEqual([[], []]);
        }
    },
  );

  testSiteInBrowser('a note is de-identified by keyboard alone', async (visit) => {
    const { page, violations, complaints, elsewhere } = await visit(encoder.url);
    await page.getByLabel('Note', { exact: true }).focus();
    await page.keyboard.type(NOTE);
    for (const _ of ['treatment', 'language', 'threshold', 'button'])
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'De-identified' }).waitFor();
    expect(await page.locator('mark.phi', { hasText: 'ann@example.org' }).count()).toBe(1);
    expect(await violations()).toEqual([]);
    expect([complaints, elsewhere]).toEqual([[], []]);
  });

  testSiteInBrowser(
    'a dry run is followed to its end, and its notes are encoded',
    async (visit) => {
      const other = await serveEncoder({ notes: labelledNotes(40) });
      try {
        const { page, complaints, violations } = await visit(`${other.url}/share`);
        await page.getByRole('button', { name: 'Dry run' }).click();
        await page.getByText('40 sentences of 40 notes').waitFor();
        expect(await violations()).toEqual([]);
        await page.getByRole('button', { name: 'Encode these notes' }).click();
        await page.getByText('40 sentences, ').first().waitFor();
        expect(complaints).toEqual([]);
        expect(other.service.jobs.list().map(({ state }) => state)).toEqual(['done', 'done']);
      } finally {
        await other.close();
      }
    },
  );

  testSiteInBrowser('nothing that a note says runs, asks or loads anything', async (visit) => {
    const { page, complaints, elsewhere } = await visit(encoder.url);
    for (const payload of INJECTIONS) {
      await page.getByLabel('Note', { exact: true }).fill(`alpha ${payload} ann@example.org`);
      const answered = page.waitForEvent('load');
      await page.getByRole('button', { name: 'De-identify' }).click();
      await answered;
      await page.getByRole('heading', { name: 'De-identified' }).waitFor();
      const found = await page.evaluate(
        `[globalThis.${HARM}, document.querySelectorAll('main :is(script, img, iframe, object, embed, base, meta, style)').length]`,
      );
      expect([payload, found]).toEqual([payload, [undefined, 0]]);
    }
    expect([complaints, elsewhere]).toEqual([[], []]);
  });

  testSiteInBrowser('everything can be read and done without scripts', async (visit) => {
    const { page } = await visit(encoder.url, { scripts: false });
    await page.getByLabel('Note', { exact: true }).fill(NOTE);
    await page.getByRole('button', { name: 'De-identify' }).click();
    await page.getByRole('heading', { name: 'De-identified' }).waitFor();
  });
});
