import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { type CatalogOptions, catalogPlaceOf } from './catalog-options.js';

/** Throws `file-not-found` unless the directory holds a store, rather than making an empty one. */
export function requireStore(directory: string, { catalog }: CatalogOptions = {}): void {
  if (existsSync(join(directory, catalog === undefined ? 'catalog.db' : 'blobs'))) return;
  throw new TacetError(
    'file-not-found',
    `${directory} holds no store; give the data directory of a server`,
  );
}

/** The store of a directory that a server has made, with the catalog that the options name. */
export async function openServed(directory: string, options: CatalogOptions): Promise<Store> {
  requireStore(directory, options);
  return Store.open(directory, { catalog: await catalogPlaceOf(options) });
}
