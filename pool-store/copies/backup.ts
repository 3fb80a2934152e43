import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveDurably, syncDirectory, syncFile } from '../../platform/files/durable-file.js';
import { makeDirectory } from '../../platform/files/durable-folder.js';
import { lockFile } from '../../platform/files/file-lock.js';
import { TacetError } from '../../proto/errors.js';
import { DiskBlobs } from '../blobs/disk-blobs.js';
import type { Catalog } from '../catalog/catalog.js';
import { SqliteCatalog } from '../catalog/sqlite-catalog.js';
import { ChangeLog } from '../log/change-log.js';
import { BlobRecords } from '../segments/blob-records.js';
import { CATALOG_FILE, HEAD_FILE, KEY_DIRECTORY, type Store } from '../store.js';
import { requireOutside } from '../store-folder.js';
import { copyBlob } from './copy-blob.js';

export interface Backup {
  /** Sequence number of the last change in it. */
  readonly sequence: number;
  readonly blobs: number;
  /** Blobs that the store names and cannot give: run `verify` on it. */
  readonly damaged: readonly string[];
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBlob?: ((done: number, total: number) => void) | undefined;
}

/** How often a backup starts over because something was withdrawn in the meantime. */
const ATTEMPTS = 10;
const LOCK_FILE = 'backup.lock';

/**
 * Copies a store into `directory`, also while a server runs on it: the catalog as of one moment,
 * and every blob that it names but checkpoints of trainings. A second backup into the same directory copies what is new and
 * erases what was withdrawn or dropped since. Until the new catalog is in place, which is one rename, the directory
 * holds the backup before. Throws `conflict` where the directory holds something else, or lies in the store, and
 * `store-busy` while another process makes a backup there.
 */
export async function backupStore(
  store: Store,
  directory: string,
  options: CopyOptions = {},
): Promise<Backup> {
  requireOutside(store.directory, directory);
  await requireBackupOrNothing(directory);
  const temporary = join(directory, 'new');
  const blobs = new DiskBlobs(join(directory, 'blobs'), temporary);
  for (const path of [directory, blobs.directory]) makeDirectory(path);
  const unlock = lockFile(join(directory, LOCK_FILE), (cause) => underWay(directory, cause));
  try {
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary, { mode: 0o700 });
    return await copyUntilWhole(store, { directory, blobs, temporary }, options);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    unlock();
  }
}

function underWay(directory: string, cause: unknown): TacetError {
  return new TacetError(
    'store-busy',
    `another backup into ${directory} is under way; let it end, or name another directory`,
    { cause },
  );
}

interface Target {
  readonly directory: string;
  readonly blobs: DiskBlobs;
  readonly temporary: string;
}

async function copyUntilWhole(store: Store, target: Target, options: CopyOptions): Promise<Backup> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const path = join(target.temporary, CATALOG_FILE);
    await rm(path, { force: true });
    await store.catalog.copyTo(path);
    const catalog = new SqliteCatalog(path);
    try {
      await leaveOutPassing(catalog);
      const { kept, erased, collected, sequence } = await contentOf(catalog);
      const lacking = await copyBlobs(store, target, kept, options);
      const damaged: string[] = [];
      // One without a record was collected since, as one that was withdrawn.
      for (const digest of lacking)
        if ((await store.blobRecords.find(digest))?.erased === null) damaged.push(digest);
      if (damaged.length < lacking.length) continue;
      await catalog.closeAsOneFile();
      await copyKey(store.directory, target.directory);
      await moveDurably(path, join(target.directory, CATALOG_FILE));
      for (const digest of erased) await target.blobs.erase(digest);
      for (const digest of collected)
        if ((await target.blobs.size(digest)) !== undefined) await target.blobs.erase(digest);
      return { sequence, blobs: kept.length - damaged.length, damaged };
    } finally {
      await catalog.close();
    }
  }
  throw new TacetError('store-busy', 'contributions are withdrawn all the time; back up later');
}

/** What comes and goes within hours: a job of a restored store begins anew, as do unfinished uploads, whose bytes are not here. */
async function leaveOutPassing(catalog: Catalog): Promise<void> {
  await catalog.write(async (transaction) => {
    for (const table of ['upload_parts', 'uploads', 'leases', 'sessions'] as const)
      await transaction.deleteFrom(table).execute();
    await transaction.deleteFrom('job_checkpoints').execute();
    await transaction.deleteFrom('blobs').where('kind', '=', 'checkpoint').execute();
  });
}

async function contentOf(catalog: Catalog) {
  const log = new ChangeLog(catalog);
  const [kept, gone]: [string[], string[]] = [[], []];
  for await (const { digest, erased } of new BlobRecords(catalog, log).all())
    (erased === null ? kept : gone).push(digest);
  const collected = await collectedIn(catalog);
  return { kept, erased: gone, collected, sequence: (await log.head()).sequence };
}

/** Blobs that were dropped, since nothing used them, and did not come again. */
async function collectedIn({ read }: Catalog): Promise<string[]> {
  const rows = await read
    .selectFrom('log')
    .select('subject')
    .distinct()
    .where('action', '=', 'blob-collected')
    .where('subject', 'not in', (known) => known.selectFrom('blobs').select('digest'))
    .execute();
  return rows.map(({ subject }) => subject);
}

/** Returns the blobs that could not be copied. */
async function copyBlobs(
  store: Store,
  { blobs }: Target,
  digests: readonly string[],
  { signal, onBlob }: CopyOptions,
): Promise<string[]> {
  const lacking: string[] = [];
  for (const [done, digest] of digests.entries()) {
    signal?.throwIfAborted();
    if (!(await copyBlob(store.blobs, blobs, digest))) lacking.push(digest);
    onBlob?.(done + 1, digests.length);
  }
  return lacking;
}

/** The key that signs the heads of the log belongs to the store wherever it lies. */
export async function copyKey(from: string, to: string): Promise<void> {
  const source = join(from, KEY_DIRECTORY);
  if (!existsSync(source)) return;
  const target = join(to, KEY_DIRECTORY);
  makeDirectory(target);
  for (const name of await readdir(source)) {
    await copyFile(join(source, name), join(target, name));
    await syncFile(join(target, name));
  }
  await syncDirectory(target);
}

/** Whether a store lies as a backup left it, so that it may lack later withdrawals: none was ever committed there. */
export async function isBackup({ catalog, keptHead, log }: Store): Promise<boolean> {
  if (catalog.isShared || keptHead.read() !== undefined) return false;
  return (await log.head()).sequence > 0;
}

/** Whether the directory lies as a backup left it, with records of its own: no server was ever there, nor a change. */
export function holdsBackup(directory: string): boolean {
  const holds = (name: string) => existsSync(join(directory, name));
  return holds(CATALOG_FILE) && !LIVE_FILES.some(holds);
}

async function requireBackupOrNothing(directory: string): Promise<void> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  const isLive = names.includes('serve.lock');
  const isForeign = names.some((name) => !BACKUP_FILES.has(name));
  if (!isLive && !isForeign) return;
  throw new TacetError(
    'conflict',
    `${directory} holds ${isLive ? "a server's store" : 'other files'}; name an empty directory or a backup`,
  );
}

/** What a server or a change leaves in a data directory. */
const LIVE_FILES = [HEAD_FILE, 'serve.lock', 'server-id'];
const BACKUP_FILES = new Set([
  CATALOG_FILE,
  `${CATALOG_FILE}-wal`,
  `${CATALOG_FILE}-shm`,
  'blobs',
  'new',
  'uploads',
  'quarantine',
  'orphans',
  KEY_DIRECTORY,
  LOCK_FILE,
  `${LOCK_FILE}-journal`,
]);
