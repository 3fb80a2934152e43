import type { Page } from 'playwright-core';

/** What a browser had to fetch for a page, and when the first of it was to be seen. */
export interface PageLoad {
  readonly name: string;
  readonly requests: number;
  /** Of the page and of all that it loads, unpacked. */
  readonly bytes: number;
  /** From the request on. */
  readonly firstPaintMs: number;
}

const MEASURE = `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const loaded = performance.getEntriesByType('resource');
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    requests: 1 + loaded.length,
    bytes: [page, ...loaded].reduce((sum, each) => sum + each.decodedBodySize, 0),
    firstPaintMs: paint ? paint.startTime : NaN,
  };
})()`;

export async function loadOf(page: Page, called: string): Promise<PageLoad> {
  const load = (await page.evaluate(MEASURE)) as Omit<PageLoad, 'name'>;
  return { name: called, ...load };
}

/** A Markdown table. */
export function loadTable(loads: readonly PageLoad[]): string {
  const rows = loads.map(
    ({ name: called, requests, bytes, firstPaintMs }) =>
      `| ${called} | ${requests} | ${(bytes / 1000).toFixed(0)} | ${firstPaintMs.toFixed(0)} |`,
  );
  return ['| page | requests | kB | first paint, ms |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
