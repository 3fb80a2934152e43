import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobKind } from '../../pool-store/blob-records.js';

/** An upload that was begun, as it lies on disk. */
export interface OpenUpload {
  readonly id: string;
  readonly size: number;
  /** Bytes that have arrived. */
  readonly offset: number;
  readonly digest: string;
  readonly kind: BlobKind;
  /** The token that began it, and its name. */
  readonly owner: string;
  readonly holder: string;
  readonly touched: Date;
  /** Whether all bytes arrived and were moved, to be a blob. */
  readonly isMoved: boolean;
}

/** What is known of an upload before one byte of it is sent. */
export interface NewUpload {
  readonly size?: number | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

interface UploadRecord {
  readonly size: number;
  readonly metadata: Pick<OpenUpload, 'digest' | 'kind' | 'owner' | 'holder'>;
}

/** Begins an upload: a file for its bytes, and beside it what it is. */
export async function createUpload(
  directory: string,
  { id, size, metadata }: NewUpload & { readonly id: string },
): Promise<void> {
  await writeFile(join(directory, id), '');
  await writeFile(join(directory, `${id}.json`), JSON.stringify({ size, metadata }));
}

/** The ids of everything in a directory of uploads, also of what a crash left in halves. */
export async function uploadIds(directory: string): Promise<Set<string>> {
  return new Set((await readdir(directory)).map((name) => name.replace(/\.json$/, '')));
}

/** Undefined where it is not whole: a crash, or another request that is ending it. */
export async function findUpload(directory: string, id: string): Promise<OpenUpload | undefined> {
  const upload = await readUpload(directory, id);
  return upload?.isMoved ? undefined : upload;
}

/** As `findUpload`, and also one that is, or was when a crash came, about to be a blob. */
export async function readUpload(directory: string, id: string): Promise<OpenUpload | undefined> {
  const path = join(directory, id);
  try {
    const { size, metadata }: UploadRecord = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    const bytes = await stat(path).catch(() => undefined);
    const { mtime: touched } = bytes ?? (await stat(`${path}.json`));
    return { id, size, offset: bytes?.size ?? size, touched, isMoved: !bytes, ...metadata };
  } catch {
    return undefined;
  }
}

export async function openUploads(directory: string): Promise<OpenUpload[]> {
  const found: OpenUpload[] = [];
  for (const id of await uploadIds(directory)) {
    const upload = await readUpload(directory, id);
    if (upload) found.push(upload);
  }
  return found;
}

/**
 * Where the store of blobs is away: to a client an upload is done once its last byte has arrived, so it shall
 * send that again, when the store is back.
 */
export async function takeLastByteBack(
  directory: string,
  { id, size }: Pick<OpenUpload, 'id' | 'size'>,
): Promise<void> {
  await truncate(join(directory, id), Math.max(0, size - 1));
}

export async function removeUpload(directory: string, id: string): Promise<void> {
  await rm(join(directory, id), { force: true });
  await rm(join(directory, `${id}.json`), { force: true });
}
