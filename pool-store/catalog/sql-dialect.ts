/** The words that SQLite and PostgreSQL do not share, for statements that both take. */

import type { Statements } from './catalog.js';
import { type Expression, PostgresAdapter, type RawBuilder, sql } from './kysely.js';

function isPostgres(statements: Statements): boolean {
  return statements.getExecutor().adapter instanceof PostgresAdapter;
}

/** The texts of a list as the rows of a table with one column, `value`, however many they are. */
export function rowsOf(statements: Statements, texts: readonly string[]): RawBuilder<unknown> {
  const json = JSON.stringify(texts);
  return isPostgres(statements)
    ? sql`(SELECT jsonb_array_elements_text(${json}::jsonb) AS value)`
    : sql`(SELECT value FROM json_each(${json}))`;
}

/** As `rowsOf`, of pairs in the columns `first` and `second`. */
export function pairsOf(
  statements: Statements,
  pairs: readonly (readonly [string, string])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(pairs);
  return isPostgres(statements)
    ? sql`(SELECT value->>0 AS first, value->>1 AS second FROM jsonb_array_elements(${json}::jsonb))`
    : sql`(SELECT value->>0 AS first, value->>1 AS second FROM json_each(${json}))`;
}

/** As `rowsOf`, with a second column, `number`, which counts from 0 on. */
export function numberedRowsOf(
  statements: Statements,
  texts: readonly string[],
): RawBuilder<unknown> {
  const json = JSON.stringify(texts);
  return isPostgres(statements)
    ? sql`(SELECT value, place - 1 AS number
        FROM jsonb_array_elements_text(${json}::jsonb) WITH ORDINALITY AS listed (value, place))`
    : sql`(SELECT value, key AS number FROM json_each(${json}))`;
}

/**
 * Inserts rows of which those before a failure stay until the transaction is undone, which whoever meets the failure
 * does: SQLite then need not keep the pages that they go to.
 */
export function insertOrFail(statements: Statements): RawBuilder<unknown> {
  return isPostgres(statements) ? sql`INSERT` : sql`INSERT OR FAIL`;
}

/** As `rowsOf`, of bytes that texts stand for in hexadecimal, each of so many. */
export function bytesRowsOf(
  statements: Statements,
  texts: readonly string[],
  length: number,
): RawBuilder<unknown> {
  return isPostgres(statements)
    ? sql`(SELECT decode(value, 'hex') AS value FROM ${rowsOf(statements, texts)} AS texts)`
    : sql`pieces(${Buffer.from(texts.join(''), 'hex')}, ${length})`;
}

/** Whether a text holds another, letter for letter. */
export function contains(
  statements: Statements,
  text: Expression<string>,
  part: string,
): RawBuilder<boolean> {
  return isPostgres(statements)
    ? sql<boolean>`strpos(${text}, ${part}) > 0`
    : sql<boolean>`instr(${text}, ${part}) > 0`;
}

/** Joins in the order that is written, where the planner could choose worse; PostgreSQL's has statistics. */
export function joinInOrder(statements: Statements): RawBuilder<unknown> {
  return isPostgres(statements) ? sql`JOIN` : sql`CROSS JOIN`;
}

/** The index that holds all that is read of a table, where rows lie far apart and long texts between them. */
export function byIndex(statements: Statements, index: string): RawBuilder<unknown> {
  return isPostgres(statements) ? sql`` : sql`INDEXED BY ${sql.id(index)}`;
}

/** The clock of the catalog at this statement, in milliseconds since 1970. */
export function clock(statements: Statements): RawBuilder<number> {
  return isPostgres(statements)
    ? sql<number>`floor(extract(epoch FROM clock_timestamp()) * 1000)`
    : sql<number>`CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`;
}
