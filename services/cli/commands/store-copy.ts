import { Command } from 'commander';
import { copyCatalog } from '../../../pool-store/copy-catalog.js';
import { openCatalog } from '../../../pool-store/open-catalog.js';
import { TacetError } from '../../../proto/errors.js';
import { type CatalogOptions, catalogPlaceOf, withCatalogOptions } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface Options extends CatalogOptions {
  readonly data: string;
}

/** `tacet store copy`: the records of a store's file into PostgreSQL. */
export function storeCopyCommand(): Command {
  return withCatalogOptions(new Command('copy'))
    .description(
      "copy the records of a store's catalog.db into an empty database of PostgreSQL; blobs stay where they are",
    )
    .requiredOption('--data <directory>', "the server's data directory")
    .action(copy);
}

async function copy({ data, ...options }: Options, command: Command): Promise<void> {
  const place = await catalogPlaceOf(options);
  if (!place) throw new TacetError('usage', 'name the database to copy into: --catalog');
  const store = await openServed(data, {});
  try {
    const target = await openCatalog('', place);
    try {
      const { sequence } = await copyCatalog(store.catalog, target, store.uploads);
      contextOf(command).result({ sequence }, `the records and the log up to entry ${sequence}`);
    } finally {
      await target.close();
    }
  } finally {
    await store.close();
  }
}
