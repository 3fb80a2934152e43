import type { Catalog } from './catalog.js';
import { PostgresCatalog } from './postgres-catalog.js';
import type { PostgresPlace } from './postgres-pool.js';
import { SqliteCatalog } from './sqlite-catalog.js';

/** A database of PostgreSQL. */
export type CatalogPlace = PostgresPlace;

/**
 * Opens the catalog of a store and brings it to this version: in the file at `path`, or in PostgreSQL where
 * a place is named. Throws `store-version`, `store-damaged` or `catalog-unreachable`.
 */
export async function openCatalog(path: string, place?: CatalogPlace): Promise<Catalog> {
  return place ? PostgresCatalog.open(place) : new SqliteCatalog(path);
}
