import { statfs } from 'node:fs/promises';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';
import { type NewUpload, openUploads } from './open-uploads.js';

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
  const open = (await openUploads(store.uploads)).filter(({ isMoved, digest }) => {
    // What was moved counts here until it counts as a blob.
    return !isMoved || !store.blobRecords.find(digest);
  });
  if (open.filter(({ owner }) => owner === token).length >= most) {
    throw new TacetError(
      'quota-exceeded',
      `${most} uploads are unfinished; finish or end some, or wait: one is dropped ${uploadHours} ` +
        'hours after its last byte',
    );
  }
  const own = open.filter(({ holder }) => holder === name);
  const used = store.blobRecords.bytesOf(name) + sum(own.map(({ size }) => size));
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
