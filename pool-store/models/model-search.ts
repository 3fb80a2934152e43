import type { PublicationStatus } from '../../proto/publication.js';
import type { Catalog, Statements } from '../catalog/catalog.js';
import type { CatalogTables } from '../catalog/catalog-tables.js';
import { type SelectQueryBuilder, sql } from '../catalog/kysely.js';
import { countOf, type Extent, type Listing } from '../catalog/listing.js';
import { contains } from '../catalog/sql-dialect.js';
import { MODEL_COLUMNS, type Model } from './models.js';

/** Which models are looked for; undefined asks for all. */
export interface ModelFilter {
  /** A part of their names. */
  readonly search?: string | undefined;
  readonly status?: PublicationStatus | undefined;
  /** As their manifests state them, up to 40 characters. */
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
}

/** The models that a filter finds, newest first. */
export async function searchModels(
  { read }: Catalog,
  { search = '', status, kind, language }: ModelFilter,
  extent: Extent,
): Promise<Listing<Model>> {
  return newestOf(
    read,
    (models) => {
      let matching = models;
      if (search !== '')
        matching = matching.where(({ ref }) => contains(read, ref('name'), search));
      if (status !== undefined) matching = matching.where('status', '=', status);
      if (kind !== undefined) matching = matching.where('kind', '=', kind);
      if (language !== undefined) matching = matching.where('language', '=', language);
      return matching;
    },
    extent,
  );
}

/** The languages that manifests state, at most `limit` of them, in order. */
export async function statedLanguages({ read }: Catalog, limit: number): Promise<string[]> {
  const rows = await read
    .selectFrom('models')
    .select('language')
    .distinct()
    .where('language', 'is not', null)
    .limit(limit)
    .execute();
  return rows.flatMap(({ language }) => language ?? []).sort();
}

/** The versions of a name, newest first. */
export function versionsOf(
  { read }: Catalog,
  name: string,
  extent: Extent,
): Promise<Listing<Model>> {
  return newestOf(read, (models) => models.where('name', '=', name), extent);
}

/** What the aliases of a name mean, at most `limit` of them. */
export function aliasesOfName(
  { read }: Catalog,
  name: string,
  limit: number,
): Promise<{ readonly alias: string; readonly version: string }[]> {
  return read
    .selectFrom('aliases')
    .innerJoin('models', 'models.digest', 'aliases.model')
    .select(['alias', 'version'])
    .where('aliases.name', '=', name)
    .orderBy('alias')
    .limit(limit)
    .execute();
}

type Matching = SelectQueryBuilder<CatalogTables, 'models', { digest: string }>;

/** Chosen by what the index `models_in_order` holds, so that no other model's manifest is read. */
async function newestOf(
  statements: Statements,
  filter: (models: Matching) => Matching,
  { limit, offset }: Extent,
): Promise<Listing<Model>> {
  const matching = filter(statements.selectFrom('models').select('digest'));
  const chosen = matching
    .orderBy('published', 'desc')
    .orderBy('name', 'desc')
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset);
  const rows = await statements
    .selectFrom('models')
    .select(MODEL_COLUMNS)
    .where('digest', 'in', chosen)
    .orderBy('published', 'desc')
    .orderBy('name', 'desc')
    .orderBy('version', 'desc')
    .execute();
  return { rows, total: await countOf(statements, sql`FROM (${matching}) AS matching`) };
}
