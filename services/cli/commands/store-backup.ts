import { Command } from 'commander';
import { backupStore } from '../../../pool-store/copies/backup.js';
import { TacetError } from '../../../proto/errors.js';
import { type CatalogOptions, withCatalogOptions } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface Options extends CatalogOptions {
  readonly data: string;
  readonly out: string;
}

/** `tacet store backup`: a copy as of one moment, also while a server runs. */
export function storeBackupCommand(): Command {
  return withCatalogOptions(new Command('backup'))
    .description('copy a store, also while a server runs; again into the same place copies the new')
    .requiredOption('--data <directory>', "the server's data directory")
    .requiredOption('--out <directory>', 'an empty directory, or a backup made before')
    .action(backup);
}

async function backup({ data, out, ...place }: Options, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const store = await openServed(data, place, command);
  try {
    const made = await backupStore(store, out, {
      signal,
      onBlob: (done, total) => progress({ step: 'back up', done, total, unit: 'blobs' }),
    });
    result(made, [
      `${made.blobs} blobs and the log up to entry ${made.sequence}`,
      ...made.damaged.map((digest) => `not in the backup, for it is damaged: ${digest}`),
    ]);
    if (made.damaged.length > 0) {
      throw new TacetError('store-damaged', `${made.damaged.length} blobs could not be copied`);
    }
  } finally {
    await store.close();
  }
}
