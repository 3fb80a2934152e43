import { existsSync } from 'node:fs';
import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, syncFile } from '../../platform/files/durable-file.js';
import { TacetError } from '../../proto/errors.js';
import { DiskBlobs } from '../blobs/disk-blobs.js';
import type { LogEntry } from '../log/log-chain.js';
import { CATALOG_FILE, Store } from '../store.js';
import { type CopyOptions, copyKey } from './backup.js';
import { copyBlob } from './copy-blob.js';
import { type Replay, replayLog } from './replay-log.js';

export interface Restoration extends Replay {
  readonly blobs: number;
  /** Blobs that the backup names and cannot give. */
  readonly damaged: readonly string[];
}

export interface RestoreOptions extends CopyOptions {
  /**
   * The log of the lost store from its first entry, or a copy of it: what was withdrawn after the backup stays so. Undefined
   * where nothing was withdrawn or revoked since.
   */
  readonly later: Iterable<LogEntry> | undefined;
}

/**
 * Makes a store at `directory` from a backup, without segments that no contribution names: what became of them after
 * it is not known. Every blob is verified as it is copied. The directory
 * appears by one rename when all is done, so that a restoration that was cut off left nothing to
 * serve. Throws `conflict` where the directory holds something, or the log is another one or ends before the backup.
 */
export async function restoreStore(
  backup: string,
  directory: string,
  { later, signal, onBlob }: RestoreOptions,
): Promise<Restoration> {
  if (existsSync(directory) && (await readdir(directory)).length > 0) {
    throw new TacetError('conflict', `${directory} is not empty; restore into a new directory`);
  }
  const building = `${directory}.restoring`;
  await rm(building, { recursive: true, force: true });
  await (await Store.open(building)).close();
  for (const suffix of ['-wal', '-shm'])
    await rm(join(building, CATALOG_FILE + suffix), { force: true });
  await copyFile(join(backup, CATALOG_FILE), join(building, CATALOG_FILE));
  await syncFile(join(building, CATALOG_FILE));
  await copyKey(backup, building);
  const store = await Store.open(building);
  try {
    const ungiven = new Set(await store.blobRecords.ungivenSegments());
    const given = (await keptBlobs(store)).filter((digest) => !ungiven.has(digest));
    const from = new DiskBlobs(join(backup, 'blobs'));
    const damaged = await copyAll(given, from, store, { signal, onBlob });
    const backupHead = await store.log.head();
    const replay = later
      ? await replayLog(store, later)
      : { withdrawn: [], revoked: [], sequence: backupHead.sequence };
    await store.dropUnused([...ungiven]);
    await store.catalog.write((transaction) =>
      store.log.append(transaction, 'store-restored', backupHead.hash, {
        backupSequence: backupHead.sequence,
        replayedSequence: replay.sequence,
      }),
    );
    const blobs = (await keptBlobs(store)).length;
    await store.close();
    await rm(directory, { recursive: true, force: true });
    await rename(building, directory);
    await syncDirectory(dirname(directory));
    return { ...replay, blobs: blobs - damaged.length, damaged };
  } finally {
    await store.close();
  }
}

async function copyAll(
  digests: readonly string[],
  from: DiskBlobs,
  store: Store,
  { signal, onBlob }: CopyOptions,
): Promise<string[]> {
  const damaged: string[] = [];
  for (const [done, digest] of digests.entries()) {
    signal?.throwIfAborted();
    if (!(await copyBlob(from, store.blobs, digest))) damaged.push(digest);
    onBlob?.(done + 1, digests.length);
  }
  return damaged;
}

async function keptBlobs({ blobRecords }: Store): Promise<string[]> {
  const kept: string[] = [];
  for await (const { digest, erased } of blobRecords.all()) if (erased === null) kept.push(digest);
  return kept;
}
