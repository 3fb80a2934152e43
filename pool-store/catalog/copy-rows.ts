import { createHash } from 'node:crypto';
import { TacetError } from '../../proto/errors.js';
import type { CatalogTransaction, Statements } from './catalog.js';
import type { CatalogTables } from './catalog-tables.js';
import { sql } from './kysely.js';
import { countOf } from './listing.js';

/** Every table of a store's records with its key, after those that it refers to; leases and sessions are of a moment. */
const TABLES: readonly (readonly [keyof CatalogTables, ...string[]])[] = [
  ['tokens', 'id'],
  ['identities', 'key_id'],
  ['blobs', 'digest'],
  ['contributions', 'id'],
  ['segments', 'digest'],
  ['fingerprints', 'fingerprint', 'segment'],
  ['lost_withdrawals', 'id'],
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

/** What a table holds. */
interface TableSum {
  readonly rows: number;
  /** Over its rows in the order of the key. */
  readonly sha256: string;
}

/**
 * Copies every row into a catalog without any, reads them back, and returns how many they are. The source is as of one
 * moment. Throws `internal` where what is there then is not what was read.
 */
export async function copyRows(source: Statements, target: CatalogTransaction): Promise<number> {
  let all = 0;
  for (const [table, ...key] of TABLES) {
    const read = await summed(pagesOf(source, table, key), (rows) =>
      target
        .insertInto(table)
        .values(rows as never)
        .execute(),
    );
    const written = await summed(pagesOf(target, table, key));
    if (written.rows !== read.rows || written.sha256 !== read.sha256)
      throw new TacetError(
        'internal',
        `of table ${table} ${read.rows} rows were copied, and ${written.rows} other ones are there; nothing was copied`,
      );
    all += read.rows;
  }
  return all;
}

/** Makes room for a copy. */
export async function deleteRows(target: CatalogTransaction): Promise<void> {
  for (const [table] of [...TABLES].reverse()) await target.deleteFrom(table).execute();
}

/** Whether a catalog holds anything but the key of a server that was started on it. */
export async function hasRows(statements: Statements): Promise<boolean> {
  for (const [table] of TABLES)
    if (table !== 'log_signer' && (await countOf(statements, sql`FROM ${sql.table(table)}`)) > 0)
      return true;
  return false;
}

async function summed(
  pages: AsyncIterable<readonly Row[]>,
  visit: (rows: readonly Row[]) => Promise<unknown> = async () => {},
): Promise<TableSum> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of pages) {
    await visit(rows);
    for (const row of rows) hash.update(textOf(row));
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest('hex') };
}

/** The same of SQLite and of PostgreSQL, whatever the order of their columns. */
function textOf(row: Row): string {
  const cells = Object.entries(row)
    .map(([name, value]) => [name, value instanceof Uint8Array ? hexOf(value) : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(cells);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
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
