import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/*
 * What survives a power cut on a POSIX file system: the bytes of a file after its fsync, its name
 * after the fsync of its directory, and a rename either whole or not at all.
 */

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A private directory that is there for good when this returns. */
export function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const directory of [path, dirname(path)]) {
    const descriptor = openSync(directory, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Moves a file within one file system; when it returns, the file is at `to` for good. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await syncFile(from);
  await rename(from, to);
  await syncDirectory(dirname(to));
}
