import { type RawBuilder, sql } from 'kysely';
import type { Statements } from './catalog.js';

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
export async function countOf(statements: Statements, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total ${from}`.execute(
    statements,
  );
  return rows[0]?.total ?? 0;
}
