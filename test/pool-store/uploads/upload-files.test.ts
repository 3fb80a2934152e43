import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { Store } from '../../../pool-store/store.js';
import type { OpenUpload } from '../../../pool-store/uploads/open-uploads.js';
import { UploadFiles } from '../../../pool-store/uploads/upload-files.js';
import { TacetError } from '../../../proto/errors.js';
import { sha256 } from '../../services/world.js';

const BYTES = Buffer.alloc(1000, 7);
const DIGEST = sha256(BYTES);

let directory: string;
let store: Store;
let uploads: UploadFiles;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-upload-files-'));
  mkdirSync(join(directory, 'blobs'));
  const blobs = new DiskBlobs(join(directory, 'blobs'), join(directory, 'uploads'));
  store = await Store.open(directory, { blobs });
  uploads = new UploadFiles(store);
  const upload = { id: 'u1', size: BYTES.length, digest: DIGEST, kind: 'bundle-file' } as const;
  await uploads.create({ ...upload, owner: 'token', holder: 'north' }, () => {});
});
afterEach(async () => {
  jest.restoreAllMocks();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const found = async () => (await uploads.find('u1')) as OpenUpload;
const file = () => join(directory, 'uploads', 'u1');

/** As the rest of the upload arrives. */
async function sendRest(bytes = BYTES): Promise<void> {
  const upload = await found();
  const incoming = await uploads.receive(upload);
  try {
    const rest = bytes.subarray(upload.offset);
    writeFileSync(incoming.path, rest, { flag: incoming.position === 0 ? 'w' : 'a' });
    await incoming.keep(rest.length);
  } finally {
    await incoming.discard();
  }
}

const FULL = [
  ['PostgreSQL', new TacetError('store-full', 'the disk of the catalog is full')],
  ['SQLite', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })],
] as const;

test.each(FULL)(
  'an upload whose record the disk of %s has no room for lacks its last byte, and takes no room itself',
  async (_, full) => {
    jest.spyOn(store.blobRecords, 'add').mockRejectedValueOnce(full);
    await expect(sendRest()).rejects.toBe(full);
    expect(existsSync(file())).toBe(false);
    expect((await found()).offset).toBe(BYTES.length - 1);
    await sendRest();
    expect(await store.blobRecords.find(DIGEST)).toMatchObject({ bytes: BYTES.length });
    expect(readdirSync(join(directory, 'uploads'))).toEqual([]);
  },
);

test('an upload whose bytes cannot be moved keeps all but the last', async () => {
  const denied = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  jest.spyOn(store.blobs, 'put').mockRejectedValueOnce(denied);
  await expect(sendRest()).rejects.toBe(denied);
  expect((await found()).offset).toBe(BYTES.length - 1);
  await sendRest();
  expect(await store.blobs.size(DIGEST)).toBe(BYTES.length);
});

test('an upload of other bytes than its digest names is gone', async () => {
  await expect(sendRest(Buffer.alloc(BYTES.length, 8))).rejects.toMatchObject({
    code: 'digest-mismatch',
  });
  expect(await uploads.find('u1')).toBeUndefined();
  expect(readdirSync(join(directory, 'uploads'))).toEqual([]);
});

test('an upload whose bytes are gone is gone', async () => {
  const [, full] = FULL[0];
  jest.spyOn(store.blobRecords, 'add').mockRejectedValueOnce(full);
  await expect(sendRest()).rejects.toBe(full);
  await store.blobs.erase(DIGEST);
  await expect(sendRest()).rejects.toMatchObject({ code: 'not-found' });
  expect(await uploads.find('u1')).toBeUndefined();
});

test.each(FULL)(
  'a start for which the disk of %s has no room leaves what arrived whole to its client',
  async (_, full) => {
    writeFileSync(file(), BYTES);
    jest.spyOn(store.blobRecords, 'add').mockRejectedValueOnce(full);
    expect(await new UploadFiles(store).recover()).toEqual({
      ...{ unfinished: 1, finished: 0, removed: 0 },
    });
    await sendRest();
    expect(await store.blobRecords.find(DIGEST)).toMatchObject({ erased: null });
  },
);
