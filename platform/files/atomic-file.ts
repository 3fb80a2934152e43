import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFailure } from '../system-error.js';
import { syncDirectory } from './durable-file.js';

const MAX_WRITE_BYTES = 64 << 20;

/**
 * Writes `parts` one after the other to `path`, which appears whole or not at all: they go to a
 * file of another name beside it, which is synced and renamed. Throws `disk-full`, `file-exists` or `file-unwritable`.
 */
export async function writeAtomically(
  path: string,
  parts: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeNew(partial, parts, signal);
    await rename(partial, path);
    await syncDirectory(dirname(path));
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => undefined);
    signal?.throwIfAborted();
    throw writeFailure(
      cause,
      path,
      'choose another directory (that of the cache with TACET_CACHE)',
    );
  }
}

async function writeNew(
  path: string,
  parts: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for (const part of parts) await writeAll(file, part, signal);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    signal?.throwIfAborted();
    const { bytesWritten } = await file.write(bytes.subarray(written, written + MAX_WRITE_BYTES));
    written += bytesWritten;
  }
}
