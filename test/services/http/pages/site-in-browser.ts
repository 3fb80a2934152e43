import { expect, test } from '@jest/globals';
import { chromium, type Page } from 'playwright-core';
import { BROWSER, overflowOf, violationsOf } from '../../../browser.js';

/** A person at a site, in a real browser. */
export interface Visitor {
  readonly page: Page;
  /** What the browser complained of, such as what a policy forbids, and scripts that failed. */
  readonly complaints: readonly string[];
  /** Requests to other hosts than the site's. */
  readonly elsewhere: readonly string[];
  /** Violations of axe-core's rules by what is shown. */
  violations(): Promise<string[]>;
  /** By how many pixels it is wider than the window. */
  overflow(): Promise<number>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** Logs in with it first. */
  readonly token?: string | undefined;
  readonly scripts?: boolean;
}

/** A test of pages that a server answers, in a real browser; skipped, with the reason, where there is none. */
export function testSiteInBrowser(
  title: string,
  check: (visit: (url: string, options?: VisitOptions) => Promise<Visitor>) => Promise<void>,
): void {
  const executablePath = BROWSER;
  if (!executablePath) {
    test.skip(`${title} (no Chromium is installed; set TACET_BROWSER)`, () => undefined);
    return;
  }
  test(title, async () => {
    const browser = await chromium.launch({ executablePath });
    try {
      await check(async (url, { width = 1280, scheme = 'light', token, scripts = true } = {}) => {
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          colorScheme: scheme,
          javaScriptEnabled: scripts,
        });
        const page = await context.newPage();
        const complaints: string[] = [];
        const elsewhere: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          const { origin, protocol } = new URL(request.url());
          if (protocol !== 'data:' && origin !== new URL(url).origin) elsewhere.push(request.url());
        });
        await page.goto(url);
        if (token !== undefined) {
          await page.locator('input[name="token"]').fill(token);
          await page.getByRole('button', { name: 'Log in' }).click();
          await page.waitForURL((to) => to.pathname !== '/login');
        }
        return {
          ...{ page, complaints, elsewhere },
          violations: () => violationsOf(page),
          overflow: () => overflowOf(page),
        };
      });
    } finally {
      await browser.close();
    }
  });
}

/** Both ends of what sites are made for, and both schemes: colours do not depend on widths. */
export const LOOKS = [
  { width: 360, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
] as const;

/** A test that pages break no rule of axe-core, overflow nowhere, and load nothing from elsewhere. */
export function testPagesInBrowser(
  title: string,
  pages: () => { readonly url: string; readonly token: string; readonly paths: readonly string[] },
): void {
  for (const { width, scheme } of LOOKS)
    testSiteInBrowser(`${title}, ${width} px wide, ${scheme}`, async (visit) => {
      const { url, token, paths } = pages();
      const visitor = await visit(url, { width, scheme, token });
      for (const path of paths) {
        await visitor.page.goto(url + path);
        expect([path, await visitor.violations()]).toEqual([path, []]);
        expect([path, (await visitor.overflow()) <= 0]).toEqual([path, true]);
      }
      expect([visitor.complaints, visitor.elsewhere]).toEqual([[], []]);
    });
}

/** What the field with the focus is called, or the link or button reads. */
const FOCUSED =
  '((at) => (at?.labels?.[0]?.textContent ?? at?.textContent ?? "").trim())(document.activeElement)';

/** Goes on by the tabulator until what has the focus is called so, or begins so. Throws where nothing does. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate<string>(FOCUSED)).startsWith(name)) return;
  }
  throw new Error(`the tabulator leads to nothing that is called ${name}`);
}

/** Logs in by keyboard alone, once the field has the focus, as it gets by itself. */
export async function logInByKeyboard(page: Page, token: string): Promise<void> {
  await page.locator('input[name="token"]:focus').waitFor();
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
}
