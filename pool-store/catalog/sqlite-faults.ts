import type { Database } from '../../platform/sqlite/database.js';
import { isDamage } from './disk-failure.js';

/**
 * What SQLite finds wrong with the catalog's pages, each fault with its table. Tables are checked one
 * by one, for a badly damaged one ends the check of the whole.
 */
export function sqliteFaults(database: Database): string[] {
  const tables = faultsOf(() =>
    database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all()
      .flatMap((table) => faultsIn(database, `('${table}')`).map((fault) => `${table}: ${fault}`)),
  );
  return tables.length > 0 ? tables : faultsIn(database, '');
}

function faultsIn(database: Database, argument: string): string[] {
  return faultsOf(() => {
    const rows = database.pragma(`integrity_check${argument}`) as { integrity_check: string }[];
    return rows
      .flatMap(({ integrity_check: text }) => text.split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***'));
  });
}

function faultsOf(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  }
}
