import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { loadOf, type PageLoad } from './page-load.js';

/** A page as it is to be shown. */
export interface Picture {
  /** Of the file, without what tells its four forms apart. */
  readonly name: string;
  readonly url: string;
  /** What a person does there first. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const WIDTHS = { wide: 1280, narrow: 360 } as const;
const SCHEMES = ['light', 'dark'] as const;
/** What lies further down is cut off. */
const MOST_HEIGHT = 1400;
const QUALITY = 50;

/**
 * Takes each picture wide and narrow, light and dark, as JPEG files in `folder`; `enter` logs in first. Returns
 * what each page took to load.
 */
export async function takePictures(
  browser: Browser,
  pictures: readonly Picture[],
  folder: string,
  enter: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<PageLoad[]> {
  const loads: PageLoad[] = [];
  for (const [form, width] of Object.entries(WIDTHS))
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      await enter(page);
      for (const { name: called, url, act } of pictures) {
        await page.goto(url, { waitUntil: 'networkidle' });
        if (form === 'wide' && colorScheme === 'light') loads.push(await loadOf(page, called));
        await act?.(page);
        const height = Math.min(
          MOST_HEIGHT,
          Number(await page.evaluate('document.documentElement.scrollHeight')),
        );
        await page.screenshot({
          path: join(folder, `${called}-${form}-${colorScheme}.jpg`),
          ...{ type: 'jpeg', quality: QUALITY, fullPage: true },
          clip: { x: 0, y: 0, width, height },
        });
      }
      await context.close();
    }
  return loads;
}
