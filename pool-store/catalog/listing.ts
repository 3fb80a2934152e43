import type { Statements } from './catalog.js';
import { type RawBuilder, sql } from './kysely.js';

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

/** Where a row stands in a list that is ordered by time, oldest first. */
export interface ListPlace {
  readonly time: string;
  /** Of several columns, with a space between them, what tells rows of one time apart. */
  readonly id: string;
}

/** Which rows of such a list are asked for, all of them where nothing is said: a list grows, and places stay. */
export interface ListPart {
  /** Only rows behind this place. */
  readonly after?: ListPlace | undefined;
  readonly limit?: number | undefined;
}

/** Rows of a part, and whether there are more behind them. */
export interface ListedPart<Row> {
  readonly rows: readonly Row[];
  readonly isMore: boolean;
}

/** The rows of a part, by a list that is asked for one more of them. */
export async function partOf<Row>(
  { after, limit = Number.POSITIVE_INFINITY }: ListPart,
  list: (part: ListPart) => Promise<readonly Row[]>,
): Promise<ListedPart<Row>> {
  const rows = await list({ after, limit: limit + 1 });
  return { rows: rows.slice(0, limit), isMore: rows.length > limit };
}

/** The condition that a row stands behind a place; `time` and `ids` are the columns of its own. */
export function isBehind(
  place: ListPlace | undefined,
  time: string,
  ...ids: readonly string[]
): RawBuilder<boolean> {
  if (place === undefined) return sql<boolean>`TRUE`;
  const parts = place.id.split(' ');
  const columns = sql.join([time, ...ids].map((name) => sql.ref(name)));
  const values = sql.join([place.time, ...ids.map((_, i) => parts[i] ?? '')]);
  return sql<boolean>`(${columns}) > (${values})`;
}

/** So many rows at most, from a query's LIMIT on. */
export function atMost(limit = Number.POSITIVE_INFINITY): RawBuilder<unknown> {
  return limit === Number.POSITIVE_INFINITY ? sql`` : sql`LIMIT ${limit}`;
}
