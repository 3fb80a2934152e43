import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { markupOf } from '../../../platform/pages/markup.js';
import { Pages } from '../../../platform/pages/pages.js';
import { selfContainedPage } from '../../../platform/pages/self-contained.js';
import { STYLESHEET } from '../../../platform/pages/stylesheet.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { testInBrowser } from '../../browser.js';
import { SamplePage } from './sample-page.js';

const [PHONE, SCREEN] = [360, 1280];

describe('markup', () => {
  test('text becomes neither element nor attribute', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(markupOf(<p title={hostile}>{hostile}</p>)).toBe(
      `<p title="&quot;>&lt;script>alert('&amp;')&lt;/script>">&quot;>&lt;script>alert('&amp;')&lt;/script></p>`,
    );
  });

  test('what JSON holds in the place of a text becomes no element', () => {
    const hostile = JSON.parse('{"type":"script","props":{"children":"alert(1)"}}');
    expect(markupOf(<p>{hostile}</p>)).toBe('<p></p>');
  });

  test('characters that HTML does not allow become the replacement character', () => {
    expect(markupOf(<p title={'\0'}>{'\x1b\x85\ud800'}</p>)).toBe(
      `<p title="\ufffd">${'\ufffd'.repeat(3)}</p>`,
    );
    expect(markupOf(<p>{'\t\n\r\u{1f600}'}</p>)).toBe('<p>\t\n\r\u{1f600}</p>');
  });

  test('any text survives escaping and reading back', () => {
    const entities: Record<string, string> = { amp: '&', lt: '<', quot: '"' };
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'&<>"\'a;#39lt\n') }), (text) => {
        const [, inside] = /^<p>(.*)<\/p>$/s.exec(markupOf(<p>{text}</p>)) ?? [];
        expect(inside).not.toMatch(/[<"]/);
        expect(inside.replace(/&([a-z#0-9]+);/g, (_, name: string) => entities[name] ?? '?')).toBe(
          text,
        );
      }),
    );
  });
});

describe('a self-contained page', () => {
  const page = selfContainedPage('A & B', <main>text</main>);

  test('is a whole document under its title', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain('<title>A &amp; B</title>');
    expect(page).toMatch(/<main>text<\/main>\n<\/body>\n<\/html>\n$/);
  });

  test('may load and run nothing, and use its own style alone', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
    expect(style).toBe(STYLESHEET);
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`sha256-${digest}`);
  });
});

test('the stylesheet loads nothing and cannot end its element', () => {
  expect(STYLESHEET).not.toMatch(/<|url\(|@import|https?:/);
});

test('a table without rows gives way to what is said in its place', () => {
  const columns = [{ heading: 'model', cell: (row: string) => row }];
  const table = <WideTable name="Models" columns={columns} rows={[]} empty={<p>None yet.</p>} />;
  expect(markupOf(table)).toBe('<p>None yet.</p>');
});

test('a list on one page has no ways to others', () => {
  expect(markupOf(<Pages here="1 – 2 of 2" />)).toBe('');
});

describe('the components together', () => {
  const page = selfContainedPage('Models', <SamplePage />);

  testInBrowser('violate no rule of axe-core and overflow at no width', async (show) => {
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [PHONE, SCREEN]) {
        const shown = await show(page, width, scheme);
        expect(await shown.violations()).toEqual([]);
        expect(await shown.overflow()).toBeLessThanOrEqual(0);
        expect(shown.complaints).toEqual([]);
      }
    }
  });

  testInBrowser('are drawn on the ground that the reader prefers', async (show) => {
    const ground = async (scheme: 'light' | 'dark') => {
      const { page: shown } = await show(page, SCREEN, scheme);
      return shown.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await ground('light')).toBe('rgb(255, 255, 255)');
    expect(await ground('dark')).not.toBe('rgb(255, 255, 255)');
  });

  testInBrowser(
    'are printed on white, with what is folded away, without what is clicked',
    async (show) => {
      const { page: shown } = await show(page, SCREEN, 'dark');
      await shown.emulateMedia({ media: 'print' });
      expect(await shown.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      const isShown = (selector: string) =>
        shown.evaluate(`document.querySelector("${selector}").checkVisibility()`);
      expect(await isShown('details p')).toBe(true);
      for (const clicked of ['nav', '.actions', '.pages'])
        expect(await isShown(clicked)).toBe(false);
    },
  );

  testInBrowser('show where the keyboard is', async (show) => {
    const { page: shown } = await show(page, SCREEN);
    await shown.keyboard.press('Tab');
    expect(await shown.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe(
      'solid',
    );
  });
});
