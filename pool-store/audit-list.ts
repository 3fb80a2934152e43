import type { Envelope } from '../proto/dsse.js';
import { TacetError } from '../proto/errors.js';
import type { Catalog } from './catalog.js';
import type { Extent, Listing } from './listing.js';

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

const ENTRY = 'SELECT id, model, min(attached) AS attached, group_concat(key_id) AS keyIds';
// From the index alone, so that no report is read.
const LISTED = `${ENTRY} FROM audits INDEXED BY audits_in_order`;
const NEWEST_FIRST = 'GROUP BY id ORDER BY 3 DESC, id';

/** The audits of a model, or of all, newest first; however many keys signed a report, it is one. */
export function listAudits(
  catalog: Catalog,
  { limit, offset }: Extent,
  model?: string,
): Listing<ListedAudit> {
  const [where, of] = model === undefined ? ['', []] : ['WHERE model = ?', [model]];
  const found = catalog.get<{ total: number }>(
    `SELECT count(DISTINCT id) AS total FROM audits ${where}`,
    ...of,
  );
  const rows = catalog.all<Row>(
    `${LISTED} ${where} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    ...of,
    limit,
    offset,
  );
  return { rows: rows.map(listed), total: found?.total ?? 0 };
}

/** Throws `not-found`. */
export function findAudit(catalog: Catalog, id: string): ListedAudit {
  const [row] = catalog.all<Row>(`${ENTRY} FROM audits WHERE id = ? GROUP BY id`, id);
  if (!row) throw new TacetError('not-found', `there is no audit ${id}`);
  return listed(row);
}

/** The signed report, with the signature of one of its keys. Throws `not-found`. */
export function envelopeOf(catalog: Catalog, id: string): Envelope {
  const row = catalog.get<{ envelope: string }>(
    'SELECT envelope FROM audits WHERE id = ? LIMIT 1',
    id,
  );
  if (!row) throw new TacetError('not-found', `there is no audit ${id}`);
  return JSON.parse(row.envelope);
}

function listed(row: Row): ListedAudit {
  return { ...row, keyIds: row.keyIds.split(',').sort() };
}
