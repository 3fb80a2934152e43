import { statfs } from 'node:fs/promises';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';
import { type NewUpload, type OpenUpload, openUploads } from './open-uploads.js';

/**
 * Whether there is room for one more upload beside those on disk. Whoever asks makes the upload before
 * anybody else asks, or two would get the same room. Throws `quota-exceeded`, or `store-full` where the
 * disk would be left without its reserve.
 */
export async function requireRoom(
  store: Store,
  { size: bytes = 0, metadata }: NewUpload,
  { quotaBytes, openUploads: most, reserveBytes, uploadHours }: Limits,
): Promise<void> {
  const token = metadata?.owner ?? '';
  const name = metadata?.holder ?? '';
  const open = await pendingUploads(store);
  if (open.filter(({ owner }) => owner === token).length >= most) {
    throw new TacetError(
      'quota-exceeded',
      `${most} uploads are unfinished; finish or end some, or wait: one is dropped ${uploadHours} ` +
        'hours after its last byte',
    );
  }
  const used = await usedBytes(store, name, open);
  if (used + bytes > quotaBytes) {
    throw new TacetError(
      'quota-exceeded',
      `${name} has ${used} of ${quotaBytes} bytes; ask an administrator, or withdraw`,
    );
  }
  const { bavail, bsize } = await statfs(store.directory);
  const coming = sum(open.map(({ size, offset }) => size - offset));
  if (bavail * bsize - coming - bytes >= reserveBytes) return;
  throw new TacetError('store-full', 'the disk of the store is full; nothing was changed');
}

/** Bytes that count against the quota of each name: what is stored, and what its open uploads will be. */
export async function bytesAgainstQuota(
  store: Store,
  names: readonly string[],
): Promise<Map<string, number>> {
  const open = await pendingUploads(store);
  const used = new Map<string, number>();
  for (const name of names) used.set(name, await usedBytes(store, name, open));
  return used;
}

async function usedBytes(
  { blobRecords }: Store,
  name: string,
  open: readonly OpenUpload[],
): Promise<number> {
  const own = open.filter(({ holder }) => holder === name);
  return (await blobRecords.bytesOf(name)) + sum(own.map(({ size }) => size));
}

/** What was moved counts here until it counts as a blob. */
async function pendingUploads({ uploads, blobRecords }: Store): Promise<OpenUpload[]> {
  const pending: OpenUpload[] = [];
  for (const upload of await openUploads(uploads))
    if (!upload.isMoved || !(await blobRecords.find(upload.digest))) pending.push(upload);
  return pending;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
