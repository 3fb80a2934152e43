import { sql } from 'kysely';
import type { CatalogTransaction, Statements } from './catalog.js';
import type { CatalogTables } from './catalog-tables.js';
import { countOf } from './listing.js';

/** Every table of a store's records with its key, after those that it refers to; leases are of a moment. */
const TABLES: readonly (readonly [keyof CatalogTables, ...string[]])[] = [
  ['tokens', 'id'],
  ['identities', 'key_id'],
  ['blobs', 'digest'],
  ['contributions', 'id'],
  ['segments', 'digest'],
  ['fingerprints', 'fingerprint', 'segment'],
  ['snapshots', 'id'],
  ['snapshot_segments', 'snapshot', 'position'],
  ['snapshot_contributions', 'snapshot', 'contribution'],
  ['training_runs', 'snapshot', 'run', 'trainer'],
  ['jobs', 'id'],
  ['job_checkpoints', 'job', 'digest'],
  ['models', 'digest'],
  ['model_files', 'model', 'path'],
  ['aliases', 'name', 'alias'],
  ['audits', 'id', 'key_id'],
  ['log', 'sequence'],
  ['log_signer', 'key_id'],
];

/** Each row has eighteen values at most, of which a statement has a limit. */
const PAGE = 500;

type Row = Readonly<Record<string, unknown>>;

/** Copies every row into a catalog without any. The source is as of one moment. */
export async function copyRows(source: Statements, target: CatalogTransaction): Promise<void> {
  for (const [table, ...key] of TABLES)
    for await (const rows of pagesOf(source, table, key))
      await target
        .insertInto(table)
        .values(rows as never)
        .execute();
}

/** How many rows each table has. */
export async function rowCounts(statements: Statements): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const [table] of TABLES)
    counts.set(table, await countOf(statements, sql`FROM ${sql.table(table)}`));
  return counts;
}

/** In the order of the key, in memory of one page. */
async function* pagesOf(
  source: Statements,
  table: string,
  key: readonly string[],
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  for (let last: Row | undefined; ; ) {
    const values = sql.join(key.map((name) => sql`${last?.[name]}`));
    const after = last === undefined ? sql`` : sql`WHERE (${columns}) > (${values})`;
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} ${after} ORDER BY ${columns} LIMIT ${PAGE}`.execute(source);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows[rows.length - 1];
  }
}
