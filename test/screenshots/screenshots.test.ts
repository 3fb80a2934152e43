import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { BROWSER } from '../browser.js';
import { furnishRegistry } from '../services/registry/pages/furnished-registry.js';
import { servedEncoder } from './encoder-pictures.js';
import { loadTable, type PageLoad } from './page-load.js';
import { type Picture, takePictures } from './pictures.js';
import { poolPictures, servedPool } from './pool-pictures.js';
import { registryPictures } from './registry-pictures.js';

/** Where the pictures go; `make screenshots` names it. */
const FOLDER = process.env.TACET_SCREENSHOTS ?? '';
const LONGEST_MS = 300_000;

const isTaken = FOLDER !== '' && BROWSER !== undefined;
const taken = isTaken ? describe : describe.skip;

taken('pictures of every page (only for make screenshots, which needs a Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    browser = await chromium.launch({ executablePath: BROWSER ?? '' });
  });
  const loads: PageLoad[] = [];
  afterAll(async () => {
    await browser.close();
    writeFileSync(
      join(FOLDER, 'loads.md'),
      `# What each page takes to load\n\n${loadTable(loads)}\n`,
    );
  });

  const takeAs = async (url: string, token: string, pictures: readonly Picture[]) =>
    loads.push(
      ...(await takePictures(browser, pictures, FOLDER, async (page: Page) => {
        await page.goto(`${url}/login`);
        await page.locator('input[name="token"]').fill(token);
        await page.getByRole('button', { name: 'Log in' }).click();
        await page.getByRole('button', { name: 'Log out' }).waitFor();
      })),
    );

  test(
    'of the registry',
    async () => {
      const registry = await furnishRegistry();
      await takeAs(registry.url, registry.world.tokens.admin, registryPictures(registry));
      await registry.close();
    },
    LONGEST_MS,
  );

  test(
    'of the encoder',
    async () => {
      const { encoder, pictures } = await servedEncoder();
      loads.push(...(await takePictures(browser, pictures, FOLDER)));
      await encoder.close();
    },
    LONGEST_MS,
  );

  test(
    'of the pool',
    async () => {
      const served = await servedPool();
      const { pool, servers, url } = served;
      const { institution, operator } = poolPictures(served);
      await takeAs(url, pool.world.tokens.institution, institution);
      await takeAs(url, pool.world.tokens.admin, operator);
      await servers.close();
      pool.world.remove();
    },
    LONGEST_MS,
  );
});
