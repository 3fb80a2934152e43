import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/*
 * What survives a power cut on a POSIX file system: the bytes of a file after its fsync, its name
 * after the fsync of its directory, and a rename either whole or not at all.
 */

/** Of one piece or of several. */
export type Content = string | Uint8Array | Iterable<Uint8Array>;

/**
 * Writes a new file, whose bytes survive a power cut; its name does once `syncDirectory` has run. Where they cannot be
 * written there is no file, which would be in the way of the next try.
 */
export async function writeDurably(path: string, content: Content, mode = 0o644): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await writeFile(file, content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Moves a file within one file system; when it returns, the file is at `to` for good. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from);
  await rename(from, to);
  await syncDirectory(dirname(to));
}

export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+');
}

export function syncDirectory(path: string): Promise<void> {
  return sync(path, 'r');
}

async function sync(path: string, flag: string): Promise<void> {
  const handle = await open(path, flag);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
