import { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { moveDurably } from '../../platform/files/durable-file.js';
import { TacetError } from '../../proto/errors.js';
import type { Blobs } from '../blobs/blobs.js';
import { probeBucket } from '../blobs/s3/bucket-probe.js';
import { S3Blobs } from '../blobs/s3/s3-blobs.js';
import type { Catalog } from '../catalog/catalog.js';
import { COPY_LEASE, isLeased } from '../catalog/leased.js';
import { Leases } from '../catalog/leases.js';
import { type CatalogPlace, openCatalog } from '../catalog/open-catalog.js';
import { SqliteCatalog } from '../catalog/sqlite-catalog.js';
import { type CopyNote, copyNoteIn } from '../copy-note.js';
import type { ChangeLog } from '../log/change-log.js';
import { holderOf } from '../serving-lease.js';
import { CATALOG_FILE } from '../store.js';
import { type CatalogMoment, putMoment, requireEarlier } from './copy-catalog.js';

/** The catalog that a copy goes to. */
export interface CatalogTarget {
  /** Throws `conflict` where it holds what the log does not tell of. */
  require(source: ChangeLog): Promise<void>;
  /** Puts the records of a moment in the place of its own: all of them, or nothing has changed. */
  put(moment: CatalogMoment): Promise<void>;
}

const LEASE_MS = 60_000;
/** What is there before a copy is noted. */
const OWN_FILES: ReadonlySet<string> = new Set(['serve.lock', 'server-id']);

export function isSameFolder(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** Sees that a directory is empty, or that this very copy was begun there. Throws `conflict`. */
export async function requireOwnFolder(directory: string, note: CopyNote): Promise<void> {
  const begun = copyNoteIn(directory);
  if (begun === undefined) {
    const names = existsSync(directory) ? await readdir(directory) : [];
    if (names.every((name) => OWN_FILES.has(name))) return;
    throw new TacetError(
      'conflict',
      `${directory} holds files that no copy of a store put there; name an empty directory to copy into`,
    );
  }
  if (begun.source !== '' && begun.source !== note.source)
    throw new TacetError(
      'conflict',
      `${directory} holds a copy of another store; name an empty directory to copy into`,
    );
  if (begun.catalog === note.catalog && begun.blobs === note.blobs) return;
  const where = `${begun.catalog ?? 'a file'} for its records and ${begun.blobs} for its blobs`;
  throw new TacetError(
    'conflict',
    `the copy into ${directory} was begun with ${where}; name the same places again, or an empty directory`,
  );
}

/** Sees that a bucket can keep a store and holds nothing of another. Throws `conflict`, and as `probeBucket`. */
export async function requireEmptyPlace(blobs: Blobs): Promise<void> {
  if (!(blobs instanceof S3Blobs)) return;
  await probeBucket(blobs.bucket);
  for await (const { key } of blobs.bucket.list('')) {
    if (key.startsWith('probe/')) continue;
    throw new TacetError(
      'conflict',
      'the bucket to copy into holds objects under this prefix; name one that holds none (s3://BUCKET/PREFIX)',
    );
  }
}

/**
 * Does `work` with the catalog to copy into, which nobody else uses meanwhile. Throws `store-busy` where somebody does, and
 * `conflict` where it is the source's own.
 */
export async function withTarget<T>(
  source: Catalog,
  directory: string,
  place: CatalogPlace | undefined,
  work: (target: CatalogTarget) => Promise<T>,
): Promise<T> {
  if (place === undefined) return work(fileTarget(join(directory, CATALOG_FILE)));
  const catalog = await openCatalog('', place);
  try {
    const holder = await holderOf(directory);
    const leases = new Leases(catalog);
    if ((await isLeased(catalog)) || !(await leases.take(COPY_LEASE, holder, LEASE_MS)))
      throw new TacetError(
        'store-busy',
        'the catalog to copy into is in use: by a server, or by another copy; stop it, and try again in a minute',
      );
    try {
      if (await isHeldIn(source, holder))
        throw new TacetError('conflict', 'FROM and TO have the same catalog; name another one');
      return await leases.prolonged(COPY_LEASE, holder, LEASE_MS, () =>
        work(sharedTarget(catalog)),
      );
    } finally {
      await leases.release(COPY_LEASE, holder);
    }
  } finally {
    await catalog.close();
  }
}

/** What was written into one catalog by two addresses is seen by both. */
async function isHeldIn(catalog: Catalog, holder: string): Promise<boolean> {
  const found = await catalog.read
    .selectFrom('leases')
    .select('name')
    .where('name', '=', COPY_LEASE)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return found !== undefined;
}

function sharedTarget(catalog: Catalog): CatalogTarget {
  return {
    require: (source) => requireEarlier(catalog.read, catalog, source),
    put: (moment) => putMoment(moment, catalog),
  };
}

function fileTarget(path: string): CatalogTarget {
  const require = async (source: ChangeLog) => {
    if (!existsSync(path)) return;
    const catalog = new SqliteCatalog(path);
    try {
      await requireEarlier(catalog.read, catalog, source);
      // Beside another catalog its write-ahead log would ruin that.
      await catalog.closeAsOneFile();
    } finally {
      await catalog.close();
    }
  };
  return {
    require,
    put: async ({ catalog, log, path: made }) => {
      await require(log);
      await catalog.closeAsOneFile();
      await moveDurably(made, path);
    },
  };
}
