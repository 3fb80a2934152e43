import type { ListedPart, ListPart, ListPlace } from '../../pool-store/catalog/listing.js';
import { TacetError } from '../../proto/errors.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Call } from './route.js';

/** Rows of a page, unless fewer are asked for. */
const MOST_ROWS = 1000;
/** Of a cursor: a time, as the catalog writes it, and the id of a row. */
const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z) ([\w. -]{1,165})$/;

const PAGE_QUERY = closedObject({
  /** How many rows at most, from 1 to 1000; 1000 where nothing is said. */
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]{0,2}|1000)$' })),
  /** Where the page before ended, as its `Link` says. */
  cursor: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,260}$' })),
});

/** Which page of a list is asked for. */
export const pageQuery = validator(PAGE_QUERY, 'request-invalid', 'the query');

/** What the answer of such a route says beside its rows. */
export const PAGE_HEADERS = {
  Link: 'With more behind this page: where the next one is, rel="next" (RFC 8288)',
};

type PageCall = Pick<Call<unknown, TypeOf<typeof PAGE_QUERY>>, 'query' | 'response'>;

/** The rows of the page that a call asks for. Throws `request-invalid` for a cursor that no page gave. */
export async function answerPage<Row>(
  { query, response }: PageCall,
  list: (part: ListPart & { readonly limit: number }) => Promise<ListedPart<Row>>,
  placeOf: (row: Row) => ListPlace,
): Promise<readonly Row[]> {
  const { limit: text = String(MOST_ROWS), cursor } = query;
  const limit = Number(text);
  const after = cursor === undefined ? undefined : placeAt(cursor);
  const { rows, isMore } = await list({ after, limit });
  const last = rows.at(-1);
  // Relative to the address that was asked for, whatever stands before the path on the way here.
  if (isMore && last !== undefined)
    response.set('Link', `<?limit=${limit}&cursor=${cursorOf(placeOf(last))}>; rel="next"`);
  return rows;
}

function cursorOf({ time, id }: ListPlace): string {
  return Buffer.from(`${time} ${id}`).toString('base64url');
}

function placeAt(cursor: string): ListPlace {
  const [, time, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (time !== undefined && id !== undefined) return { time, id };
  throw new TacetError('request-invalid', 'the query: cursor must be one that a page gave');
}
