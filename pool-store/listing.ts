import type { Catalog, Parameters } from './catalog.js';

/** Which rows of a list are asked for. */
export interface Extent {
  readonly offset: number;
  readonly limit: number;
}

/** Some rows of a list, and how many there are in all. */
export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** How many rows there are; `from` is a query from its FROM on. */
export function countOf(catalog: Catalog, from: string, ...parameters: Parameters): number {
  const row = catalog.get<{ total: number }>(`SELECT count(*) AS total ${from}`, ...parameters);
  return row?.total ?? 0;
}
