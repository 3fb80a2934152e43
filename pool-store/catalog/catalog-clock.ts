import type { Statements } from './catalog.js';
import { type CompiledQuery, sql } from './kysely.js';
import { clock } from './sql-dialect.js';

/**
 * By the clock of the catalog, in milliseconds since 1970. What is dropped for its age and who leads is judged by this one
 * clock: those of the processes may disagree, or jump.
 */
export async function currentTime(statements: Statements): Promise<number> {
  const { rows } = await statements.executeQuery(timeQuery(statements));
  return rows[0]?.now ?? Number.NaN;
}

/** Finds the same among other statements. */
export function timeQuery(statements: Statements): CompiledQuery<{ now: number }> {
  return sql<{ now: number }>`SELECT ${clock(statements)} AS now`.compile(statements);
}
