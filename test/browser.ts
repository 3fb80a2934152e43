import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'];

/** A Chromium of this machine, which `TACET_BROWSER` may name. */
export const BROWSER =
  process.env.TACET_BROWSER ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync);

/** A page as a browser shows it. */
export interface ShownPage {
  /** Its violations of axe-core's rules, each with its first element; details are opened before. */
  violations(): Promise<string[]>;
  /** By how many pixels it is wider than the window. */
  overflow(): Promise<number>;
  /** What the browser complained of, such as styles that a policy forbids. */
  readonly complaints: readonly string[];
  readonly page: Page;
}

type Show = (markup: string, width: number, colorScheme?: 'light' | 'dark') => Promise<ShownPage>;

/** A test in a real browser; skipped, with the reason, where there is none. */
export function testInBrowser(title: string, check: (show: Show) => Promise<void>): void {
  if (!BROWSER) {
    test.skip(`${title} (no Chromium is installed; set TACET_BROWSER)`, () => undefined);
    return;
  }
  test(title, async () => {
    const browser = await chromium.launch({ executablePath: BROWSER });
    try {
      await check(async (markup, width, colorScheme = 'light') => {
        const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.setContent(markup);
        return {
          page,
          complaints,
          violations: () => violationsOf(page),
          overflow: () => overflowOf(page),
        };
      });
    } finally {
      await browser.close();
    }
  });
}

export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}

export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}
