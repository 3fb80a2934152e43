import { Command } from 'commander';
import { placeOf } from '../../../pool-store/blobs/blob-place.js';
import { isBackup } from '../../../pool-store/copies/backup.js';
import { copyStore, type StoreCopy } from '../../../pool-store/copies/copy-store.js';
import type { Store } from '../../../pool-store/store.js';
import { TacetError } from '../../../proto/errors.js';
import { catalogPlaceOf } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openServed } from '../store-directory.js';

interface Options {
  readonly fromCatalog?: string;
  readonly fromCatalogPasswordFile?: string;
  readonly toCatalog?: string;
  readonly toCatalogPasswordFile?: string;
  readonly toBlobs?: string;
  readonly nothingLater?: boolean;
}

const STEPS = { copy: 'copy', verify: 'read back' } as const;

/** `tacet store copy`: a store to another place, catalog and blobs. */
export function storeCopyCommand(): Command {
  return new Command('copy')
    .description(
      'copy a store, records and blobs, to another place: from and to catalog.db or PostgreSQL, disk or bucket. ' +
        'All is read back; again, it goes on, and copies the new',
    )
    .argument('<from>', "a server's data directory, or a backup")
    .argument(
      '<to>',
      'an empty directory, or what was copied there before; FROM again to move the records alone',
    )
    .option(
      '--from-catalog <url>',
      'where the records of FROM are, where not in catalog.db: postgres://…',
    )
    .option('--from-catalog-password-file <file>', 'the password for it')
    .option(
      '--to-catalog <url>',
      'an empty database for the records of TO, where not in catalog.db',
    )
    .option('--to-catalog-password-file <file>', 'the password for it')
    .option(
      '--to-blobs <place>',
      'disk, or s3://BUCKET/PREFIX?endpoint=URL&credentials=FILE, empty',
    )
    .option('--nothing-later', 'of a backup: nothing was withdrawn or revoked after it')
    .action(copy);
}

async function copy(from: string, to: string, options: Options, command: Command): Promise<void> {
  const { signal, progress, result } = contextOf(command);
  const toCatalog = await catalogPlaceOf({
    catalog: options.toCatalog,
    catalogPasswordFile: options.toCatalogPasswordFile,
  });
  const place = {
    catalog: options.fromCatalog,
    catalogPasswordFile: options.fromCatalogPasswordFile,
  };
  const store = await openServed(from, place, command);
  try {
    if (!options.nothingLater) await requireNoBackup(store);
    const target = { directory: to, catalog: toCatalog, blobs: options.toBlobs ?? placeOf(to) };
    const made = await copyStore(store, target, {
      signal,
      onBlob: (step, done, total) => progress({ step: STEPS[step], done, total, unit: 'blobs' }),
    });
    result(made, linesOf(made));
    if (made.damaged.length > 0)
      throw new TacetError(
        'store-damaged',
        `${made.damaged.length} blobs could not be copied; all else was`,
      );
  } finally {
    await store.close();
  }
}

/** What was withdrawn after a backup must not come back by its copy. */
async function requireNoBackup(store: Store): Promise<void> {
  if (!(await isBackup(store))) return;
  throw new TacetError(
    'usage',
    `${store.directory} is a backup, and what was withdrawn after it must stay withdrawn: make a store of it with ` +
      'tacet store restore and copy that, or give --nothing-later where you know of nothing',
  );
}

function linesOf({ sequence, rows, ...made }: StoreCopy): string[] {
  const { blobs, bytes, copied, damaged, isInPlace, isServed } = made;
  const coming = isInPlace ? 'which stay where they are' : `${copied} of them copied now`;
  return [
    `${blobs} blobs, ${bytes} bytes, ${coming}: each was read back and has its digest`,
    `${rows} records, read back and the same; the log is whole up to entry ${sequence}`,
    ...damaged.map((digest) => `not in the copy, for it is damaged: ${digest}`),
    ...(isServed ? ['FROM is being served: to move, stop it and call this once more'] : []),
    ...(isInPlace ? ['serve the copy from now on, and FROM no more'] : []),
  ];
}
