import type { PublicationStatus } from '../proto/publication.js';
import type { Catalog } from './catalog.js';
import { countOf, type Extent, type Listing } from './listing.js';
import type { Model } from './models.js';

/** Which models are looked for; undefined asks for all. */
export interface ModelFilter {
  /** A part of their names. */
  readonly search?: string | undefined;
  readonly status?: PublicationStatus | undefined;
  /** As their manifests state them, up to 40 characters. */
  readonly kind?: string | undefined;
  readonly language?: string | undefined;
}

const COLUMNS = 'digest, name, version, publisher, published, status, reason';

// As the index `models_in_order` spells them, so that no manifest is read.
const stated = (path: string) =>
  `CASE WHEN json_valid(manifest) THEN substr(json_extract(manifest, '$.${path}'), 1, 40) END`;
const KIND = stated('kind');
const LANGUAGE = stated('training.language');

const MATCHES = `instr(name, @search) > 0
  AND (@status IS NULL OR status = @status)
  AND (@kind IS NULL OR (${KIND}) = @kind)
  AND (@language IS NULL OR (${LANGUAGE}) = @language)`;

const NEWEST_FIRST = 'ORDER BY published DESC, name DESC, version DESC';

/** The models that a filter finds, newest first. */
export function searchModels(
  catalog: Catalog,
  { search = '', status, kind, language }: ModelFilter,
  { limit, offset }: Extent,
): Listing<Model> {
  const filter = {
    ...{ search, status: status ?? null },
    ...{ kind: kind ?? null, language: language ?? null },
  };
  const rows = catalog.all<Model>(
    `SELECT ${COLUMNS} FROM models WHERE rowid IN
       (SELECT rowid FROM models WHERE ${MATCHES} ${NEWEST_FIRST} LIMIT @limit OFFSET @offset)
       ${NEWEST_FIRST}`,
    { ...filter, limit, offset },
  );
  return { rows, total: countOf(catalog, `FROM models WHERE ${MATCHES}`, filter) };
}

/** The languages that manifests state, at most `limit` of them, in order. */
export function statedLanguages(catalog: Catalog, limit: number): string[] {
  return catalog
    .all<{ language: string | null }>(
      // Sorted here: with an ORDER BY every manifest would be read.
      `SELECT DISTINCT (${LANGUAGE}) AS language FROM models LIMIT ?`,
      limit,
    )
    .flatMap(({ language }) => language ?? [])
    .sort();
}

/** The versions of a name, newest first. */
export function versionsOf(
  catalog: Catalog,
  name: string,
  { limit, offset }: Extent,
): Listing<Model> {
  const rows = catalog.all<Model>(
    `SELECT ${COLUMNS} FROM models WHERE rowid IN
       (SELECT rowid FROM models WHERE name = ? ${NEWEST_FIRST} LIMIT ? OFFSET ?) ${NEWEST_FIRST}`,
    name,
    limit,
    offset,
  );
  return { rows, total: countOf(catalog, 'FROM models WHERE name = ?', name) };
}

/** What the aliases of a name mean, at most `limit` of them. */
export function aliasesOfName(
  catalog: Catalog,
  name: string,
  limit: number,
): { readonly alias: string; readonly version: string }[] {
  return catalog.all(
    `SELECT alias, version FROM aliases JOIN models ON digest = model
       WHERE aliases.name = ? ORDER BY alias LIMIT ?`,
    name,
    limit,
  );
}
