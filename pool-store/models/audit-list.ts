import type { Envelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import type { Catalog } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
import type { Extent, Listing } from '../catalog/listing.js';
import { byIndex } from '../catalog/sql-dialect.js';

/** An audit without its report: which model it is of, and who signed it. */
export interface ListedAudit {
  /** SHA-256 of the signed payload. */
  readonly id: string;
  readonly model: string;
  /** When the first signature arrived. */
  readonly attached: string;
  readonly keyIds: readonly string[];
}

type Row = Omit<ListedAudit, 'keyIds'> & { readonly keyIds: string };

const ENTRY = sql`SELECT id, min(model) AS model, min(attached) AS attached,
  string_agg(key_id, ',') AS "keyIds" FROM audits`;

/** The audits of a model, or of all, newest first; however many keys signed a report, it is one. */
export async function listAudits(
  { read }: Catalog,
  { limit, offset }: Extent,
  model?: string,
): Promise<Listing<ListedAudit>> {
  const where = model === undefined ? sql`` : sql`WHERE model = ${model}`;
  const found = await sql<{ total: number }>`
    SELECT count(DISTINCT id) AS total FROM audits ${where}`.execute(read);
  // From the index alone, so that no report is read.
  const { rows } = await sql<Row>`${ENTRY} ${byIndex(read, 'audits_in_order')} ${where}
    GROUP BY id ORDER BY min(attached) DESC, id LIMIT ${limit} OFFSET ${offset}`.execute(read);
  return { rows: rows.map(listed), total: found.rows[0]?.total ?? 0 };
}

/** Throws `not-found`. */
export async function findAudit({ read }: Catalog, id: string): Promise<ListedAudit> {
  const { rows } = await sql<Row>`${ENTRY} WHERE id = ${id} GROUP BY id`.execute(read);
  const [row] = rows;
  if (!row) throw new TacetError('not-found', `there is no audit ${id}`);
  return listed(row);
}

/** The signed report, with the signature of one of its keys. Throws `not-found`. */
export async function envelopeOf({ read }: Catalog, id: string): Promise<Envelope> {
  const row = await read
    .selectFrom('audits')
    .select('envelope')
    .where('id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new TacetError('not-found', `there is no audit ${id}`);
  return JSON.parse(row.envelope);
}

function listed(row: Row): ListedAudit {
  return { ...row, keyIds: row.keyIds.split(',').sort() };
}
