import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { holdsBackup } from '../../pool-store/copies/backup.js';
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

/**
 * The store of a directory that a server has made, with the catalog that the command's options name; of a backup, with its
 * own, unless the command line itself names another: what the environment names is the server's.
 */
export async function openServed(
  directory: string,
  options: CatalogOptions,
  command: Command,
): Promise<Store> {
  const isOfServer = command.getOptionValueSource('catalog') === 'env';
  const place = isOfServer && holdsBackup(directory) ? {} : options;
  requireStore(directory, place);
  return Store.open(directory, { catalog: await catalogPlaceOf(place) });
}
