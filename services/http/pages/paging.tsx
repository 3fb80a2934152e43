import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { Pages } from '../../../platform/pages/pages.js';
import type { Extent } from '../../../pool-store/catalog/listing.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

/** Of a query: which page of a list is shown, the first without it. */
export const PAGE_NUMBER = Type.Optional(Type.String({ pattern: '^([1-9][0-9]{0,5})?$' }));

/** The query of a page whose list has no filters. */
export const pagingQuery = validator(
  closedObject({ page: PAGE_NUMBER }),
  'request-invalid',
  'the query',
);

type Query = Readonly<Record<string, string | undefined>> & { readonly page?: string | undefined };

const ROWS = 50;

/** The rows that a query asks for, so many on a page. */
export function extentOf({ page }: Pick<Query, 'page'>, rows = ROWS): Extent {
  return { offset: (Number(page || 1) - 1) * rows, limit: rows };
}

interface QueryPagesProps {
  readonly path: string;
  readonly query: Query;
  /** Rows in all. */
  readonly total: number;
  /** On a page. */
  readonly rows?: number;
}

/** The ways to the pages before and after the one that a query asks for; its filters stay. */
export function QueryPages({ path, query, total, rows }: QueryPagesProps): VNode {
  const { offset, limit } = extentOf(query, rows);
  const last = Math.max(1, Math.ceil(total / limit));
  const number = offset / limit + 1;
  const at = (page: number) => pathWith(path, { ...query, page: page > 1 ? `${page}` : undefined });
  const end = Math.min(offset + limit, total);
  return (
    <Pages
      here={
        offset < total
          ? `${countText(offset + 1)} – ${countText(end)} of ${countText(total)}`
          : `nothing here; ${countText(total)} in all`
      }
      previous={number > 1 ? at(Math.min(number - 1, last)) : undefined}
      next={number < last ? at(number + 1) : undefined}
    />
  );
}

/** A path with those fields of a query that say something. */
export function pathWith(path: string, query: Query): string {
  const fields = Object.entries(query).filter(
    (field): field is [string, string] => field[1] !== undefined && field[1] !== '',
  );
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields)}`;
}
