import { statfsSync } from 'node:fs';
import type { Store } from '../../pool-store/store.js';
import type { Holdings, NewUpload } from '../../pool-store/uploads/open-uploads.js';
import { TacetError } from '../../proto/errors.js';
import type { Limits } from './limits.js';

interface Disk {
  /** On the disk of the store. */
  readonly freeBytes: number;
  /** That this disk is to take already. */
  readonly comingBytes: number;
}

/** How much is to come, from which token, under whose name. */
export type Asked = Pick<NewUpload, 'size' | 'owner' | 'holder'>;

/** What counts against limits, of which uploads matter by what is to come of them. */
type Held = Omit<Holdings, 'open'> & { readonly open: readonly Asked[] };

/**
 * Whether there is room for one more upload beside those that are open. Throws `quota-exceeded`, or `store-full` where
 * the disk would be left without its reserve.
 */
export function requireRoom(
  { size: bytes, owner, holder }: Asked,
  { open, storedBytes, ...disk }: Held & Disk,
  limits: Limits,
): void {
  const { quotaBytes, openUploads: most, uploadHours } = limits;
  if (open.filter((upload) => upload.owner === owner).length >= most) {
    throw new TacetError(
      'quota-exceeded',
      `${most} uploads are unfinished; finish or end some, or wait: one is dropped ${uploadHours} ` +
        'hours after its last byte',
    );
  }
  const used = storedBytes + openBytes(holder, open);
  if (used + bytes > quotaBytes) {
    throw new TacetError(
      'quota-exceeded',
      `${holder} has ${used} of ${quotaBytes} bytes; ask an administrator, or withdraw`,
    );
  }
  requireDisk(bytes, disk, limits);
}

/** Throws `store-full` where so many bytes more would leave the disk without its reserve. */
export function requireDisk(
  bytes: number,
  { freeBytes, comingBytes }: Disk,
  { reserveBytes }: Pick<Limits, 'reserveBytes'>,
): void {
  if (freeBytes - comingBytes - bytes >= reserveBytes) return;
  throw new TacetError('store-full', 'the disk of the store is full; nothing was changed');
}

/**
 * Throws `store-full` where what is recorded beside uploads would take of the reserve of the disk. Of the disk of a
 * catalog that lies elsewhere nothing is known.
 */
export function requireReserve(store: Store, limits: Pick<Limits, 'reserveBytes'>): void {
  if (store.catalog.isShared) return;
  requireDisk(0, { freeBytes: freeBytes(store), comingBytes: 0 }, limits);
}

/** As `requireRoom`, for bytes that are no upload to go on with, beside others of that kind that are `coming`. */
export async function requireRoomNow(
  store: Store,
  asked: Asked,
  limits: Limits,
  coming: readonly Asked[],
): Promise<void> {
  const open = [...(await store.openUploads.all()), ...coming];
  const storedBytes = await store.blobRecords.bytesOf(asked.holder);
  const { freeBytes, comingBytes } = await diskOf(store);
  const disk = { freeBytes, comingBytes: comingBytes + sum(coming.map(({ size }) => size)) };
  requireRoom(asked, { open, storedBytes, ...disk }, limits);
}

export async function diskOf(store: Store): Promise<Disk> {
  const comingBytes = await store.openUploads.comingBytes();
  return { freeBytes: freeBytes(store), comingBytes };
}

/** On the disk of the store. */
export function freeBytes({ directory }: Pick<Store, 'directory'>): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Bytes that count against the quota of each name: what is stored, and what its open uploads will be. */
export async function bytesAgainstQuota(
  { blobRecords, openUploads }: Store,
  names: readonly string[],
): Promise<Map<string, number>> {
  const open = await openUploads.all();
  const used = new Map<string, number>();
  for (const name of names)
    used.set(name, (await blobRecords.bytesOf(name)) + openBytes(name, open));
  return used;
}

function openBytes(name: string, open: readonly Asked[]): number {
  return sum(open.filter(({ holder }) => holder === name).map(({ size }) => size));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
