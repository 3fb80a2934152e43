import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blobsAt, placeOf } from '../../../pool-store/blobs/blob-place.js';
import type { Blobs } from '../../../pool-store/blobs/blobs.js';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { fileContent } from '../../../pool-store/blobs/file-content.js';
import { copyBlob } from '../../../pool-store/copies/copy-blob.js';
import { contentOf } from '../content.js';
import { placeBlobs, type RawBlobs, rawBlobs } from '../test-place.js';

let directory: string;
let blobs: Blobs;
let raw: RawBlobs;
const coded = (code: string) => expect.objectContaining({ code });
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * i) % 251));
const digest = digestOf(bytes);

beforeEach(() => {
  directory = placeBlobs(mkdtempSync(join(tmpdir(), 'tacet-blobs-')));
  blobs = blobsAt(placeOf(directory), directory);
  mkdirSync(join(directory, 'blobs'));
  raw = rawBlobs(directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a blob', () => {
  test('that was put is read whole, by ranges and at places', async () => {
    await blobs.put(contentOf(bytes), digest);
    expect(await blobs.size(digest)).toBe(bytes.length);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
    const part = await buffer(blobs.read(digest, { start: 7, end: 15_000 }));
    expect(part).toEqual(bytes.subarray(7, 15_001));
    const open = await blobs.open(digest);
    const target = Buffer.alloc(1000);
    await open.readInto(bytes.length - 1000, target);
    expect(target).toEqual(bytes.subarray(-1000));
    expect(open.bytes).toBe(bytes.length);
    await expect(open.readInto(bytes.length - 999, target)).rejects.toEqual(
      coded('segment-invalid'),
    );
    await open.close();
    expect(await all(blobs.digests())).toEqual([digest]);
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('is refused where the disk takes no folder', async () => {
    const nowhere = new DiskBlobs('/proc/tacet/blobs');
    await expect(nowhere.put(contentOf(bytes), digest)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(nowhere.isolate(digest)).rejects.toMatchObject({ code: 'ENOENT' });
    const noDrafts = new DiskBlobs(join(directory, 'blobs'), '/proc/tacet/drafts');
    await expect(noDrafts.put(contentOf(bytes), digest)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is put from a file, which may be gone afterwards', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, bytes);
    await blobs.put(fileContent(file, bytes.length), digest);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
  });

  test('is the same after it was put once more, also by several at a time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => blobs.put(contentOf(bytes), digest)));
    await blobs.put(contentOf(bytes), digest);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
    expect(await all(blobs.digests())).toEqual([digest]);
  });

  test.each([
    ['others', Buffer.alloc(bytes.length)],
    ['fewer', bytes.subarray(1)],
  ])('is not there where its bytes were %s', async (_, wrong) => {
    const content = { ...contentOf(wrong), bytes: bytes.length };
    await expect(blobs.put(content, digest)).rejects.toEqual(coded('digest-mismatch'));
    const endless = { ...contentOf(bytes), bytes: 10 };
    await expect(blobs.put(endless, digest)).rejects.toEqual(coded('digest-mismatch'));
    expect(await blobs.size(digest)).toBeUndefined();
    expect(await all(blobs.digests())).toEqual([]);
  });

  test('whose bytes break off is not there', async () => {
    const broken = {
      bytes: bytes.length,
      read: async function* () {
        yield bytes.subarray(0, 10_000);
        throw new Error('broken');
      },
    };
    await expect(blobs.put(broken, digest)).rejects.toThrow('broken');
    expect(await blobs.size(digest)).toBeUndefined();
  });

  test('that was cut short is mended by putting it again', async () => {
    await raw.write(digest, bytes.subarray(0, 500));
    await blobs.put(contentOf(bytes), digest);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
  });

  test('is put again where its folder was taken away', async () => {
    await blobs.put(contentOf(bytes), digest);
    rmSync(join(directory, 'blobs', digest.slice(0, 2)), { recursive: true, force: true });
    await blobs.put(contentOf(bytes), digest);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
  });

  test('that is not there is missed in words', async () => {
    expect(await blobs.size(digest)).toBeUndefined();
    await expect(blobs.open(digest)).rejects.toEqual(coded('not-found'));
    await expect(buffer(blobs.read(digest))).rejects.toEqual(coded('not-found'));
    await blobs.erase(digest);
    await expect(blobs.size('../etc')).rejects.toEqual(coded('request-invalid'));
  });
});

describe('a blob out of use', () => {
  test.each([
    ['isolated', 'isolate', 'quarantine', 'damaged'],
    ['put aside', 'putAside', 'orphans', 'orphan'],
  ] as const)(
    'that was %s is named with its bytes and read by nobody',
    async (_, move, folder, reason) => {
      await blobs.put(contentOf(bytes), digest);
      await blobs[move](digest);
      expect(await blobs.size(digest)).toBeUndefined();
      expect(await all(blobs.digests())).toEqual([]);
      expect(await all(blobs.aside())).toEqual([{ digest, bytes: bytes.length, reason }]);
      expect(await raw.has(digest, folder)).toBe(true);
    },
  );

  test('is taken back, or discarded', async () => {
    await blobs.put(contentOf(bytes), digest);
    await blobs.putAside(digest);
    await blobs.takeBack(digest);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
    expect(await all(blobs.aside())).toEqual([]);
    await blobs.putAside(digest);
    await blobs.discardOrphan(digest);
    expect(await raw.has(digest, 'orphans')).toBe(false);
  });

  test('is erased wherever it lies', async () => {
    await blobs.put(contentOf(bytes), digest);
    for (const folder of ['quarantine', 'orphans'] as const) await raw.write(digest, bytes, folder);
    await blobs.erase(digest);
    for (const folder of ['blobs', 'quarantine', 'orphans'] as const)
      expect(await raw.has(digest, folder)).toBe(false);
  });
});

describe('a copy of a blob', () => {
  test('holds its bytes, and is not made of damaged ones', async () => {
    const copies = join(directory, 'copy', 'blobs');
    mkdirSync(copies, { recursive: true });
    const disk = new DiskBlobs(copies);
    const damaged = 'ab'.repeat(32);
    await raw.write(damaged, 'other bytes');
    await blobs.put(contentOf(bytes), digest);
    expect(await copyBlob(blobs, disk, digest)).toBe(true);
    expect(await copyBlob(blobs, disk, damaged)).toBe(false);
    expect(await copyBlob(blobs, disk, 'cd'.repeat(32))).toBe(false);
    expect(await all(disk.digests())).toEqual([digest]);
    await blobs.erase(digest);
    expect(await copyBlob(disk, blobs, digest)).toBe(true);
    expect(await buffer(blobs.read(digest))).toEqual(bytes);
    expect(existsSync(join(directory, 'copy', 'uploads', digest))).toBe(false);
  });
});
