import { statfs } from 'node:fs/promises';
import type { Store } from '../../pool-store/store.js';
import type { Token } from '../../pool-store/tokens.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';
import { openUploads } from './open-uploads.js';

/**
 * Whether there is room for an upload of `bytes` bytes, before one of them is sent. Throws
 * `quota-exceeded`, or `store-full` where the disk would be left without its reserve.
 */
export async function requireRoom(
  store: Store,
  { id, name }: Token,
  bytes: number,
  { quotaBytes, openUploads: most, reserveBytes }: Limits,
): Promise<void> {
  const open = await openUploads(store.uploads);
  if (open.filter(({ owner }) => owner === id).length >= most) {
    throw new TacetError('quota-exceeded', `${most} uploads are unfinished; finish or end some`);
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
