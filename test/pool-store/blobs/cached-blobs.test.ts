import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CachedBlobs } from '../../../pool-store/blobs/cached-blobs.js';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { contentOf } from '../content.js';

let root: string;
let far: FarBlobs;
let blobs: CachedBlobs;
const cached = () => readdirSync(join(root, 'cache')).sort();

/** Blobs elsewhere, which can be held back and counts how often a whole one is read. */
class FarBlobs extends DiskBlobs {
  reads = 0;
  gate: Promise<void> = Promise.resolve();
  erasing: Promise<void> = Promise.resolve();

  override async erase(digest: string) {
    await this.erasing;
    await super.erase(digest);
  }

  override async *read(digest: string) {
    this.reads++;
    await this.gate;
    yield* super.read(digest);
  }
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-cache-'));
  mkdirSync(join(root, 'far'));
  far = new FarBlobs(join(root, 'far'));
  blobs = await over(0);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function over(smallBytes: number): Promise<CachedBlobs> {
  return CachedBlobs.over(far, { directory: join(root, 'cache'), mostBytes: 2500, smallBytes });
}

async function keep(value: number): Promise<string> {
  const bytes = Buffer.alloc(1000, value);
  const digest = createHash('sha256').update(bytes).digest('hex');
  await blobs.put(contentOf(bytes), digest);
  return digest;
}

async function first(digest: string, amongBytes?: number): Promise<number> {
  const open = await blobs.open(digest, amongBytes);
  try {
    const target = Buffer.alloc(1);
    await open.readInto(500, target);
    return target[0];
  } finally {
    await open.close();
  }
}

/** Lets nothing more through from afar until what it returns is called. */
function shut(): () => void {
  let open = () => {};
  far.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

test('a blob that is read among few is fetched once and then read nearby', async () => {
  const digest = await keep(7);
  for (let i = 0; i < 3; i++) expect(await first(digest, 2000)).toBe(7);
  await blobs.idle();
  rmSync(join(root, 'far', digest.slice(0, 2)), { recursive: true });
  expect(await first(digest, 2000)).toBe(7);
  expect(far.reads).toBe(1);
});

test('a small blob is fetched once before it is read, whoever else wants it', async () => {
  blobs = await over(1000);
  const digest = await keep(7);
  const open = shut();
  const readers = Array.from({ length: 8 }, () => first(digest, 2000));
  const isDone = Promise.race(readers).then(() => true);
  expect(await Promise.race([isDone, delay(50, false)])).toBe(false);
  open();
  expect(await Promise.all(readers)).toEqual(Array(8).fill(7));
  expect(far.reads).toBe(1);
});

test('a small blob that cannot be fetched is read from where it lies', async () => {
  blobs = await over(1000);
  const digest = await keep(7);
  far.gate = Promise.reject(new Error('away'));
  expect(await first(digest, 2000)).toBe(7);
  expect(cached()).toEqual([]);
});

test('a blob that is read among more than has room is not fetched', async () => {
  const digest = await keep(7);
  expect(await first(digest, 3000)).toBe(7);
  expect(await first(digest)).toBe(7);
  await blobs.idle();
  expect(cached()).toEqual([]);
});

test('closing leaves no copy, nor one that is being fetched', async () => {
  const [a, b] = [await keep(1), await keep(2)];
  await first(a, 2000);
  await blobs.idle();
  const open = shut();
  await first(b, 2000);
  const closing = blobs.close();
  open();
  await closing;
  expect(cached()).toEqual([]);
  expect(await first(b, 2000)).toBe(2);
  await blobs.idle();
  expect(cached()).toEqual([]);
});

test('closing erases what is here at once, however long a fetch is silent', async () => {
  const [a, b] = [await keep(1), await keep(2)];
  await first(a, 2000);
  await blobs.idle();
  const open = shut();
  await first(b, 2000);
  const closing = blobs.close();
  while (cached().length > 0) await delay(1);
  open();
  await closing;
  expect(cached()).toEqual([]);
});

test('the copies that were read longest ago make room', async () => {
  const [a, b, c] = [await keep(1), await keep(2), await keep(3)];
  for (const digest of [a, b, a, c]) {
    await first(digest, 2000);
    await blobs.idle();
  }
  expect(cached()).toEqual([a, c].sort());
  expect(blobs.bytes).toBe(2000);
});

test('an erased blob leaves no bytes, nor does one that is being fetched', async () => {
  const [a, b] = [await keep(1), await keep(2)];
  await first(a, 2000);
  await blobs.idle();
  const reading = await blobs.open(a, 2000);
  const open = shut();
  await first(b, 2000);
  const erasing = blobs.erase(b);
  await blobs.erase(a);
  open();
  await erasing;
  await blobs.idle();
  expect(cached()).toEqual([]);
  await expect(reading.readInto(0, Buffer.alloc(10))).rejects.toThrow(/no 10 bytes/);
  await reading.close();
  expect(await blobs.size(b)).toBeUndefined();
});

test('what another process withdrew and has yet to erase is read, and not fetched again', async () => {
  const [a, b] = [await keep(1), await keep(2)];
  await first(a, 2000);
  await blobs.idle();
  const open = shut();
  await first(b, 2000);
  const forgetting = Promise.all([blobs.forget(a), blobs.forget(b)]);
  open();
  await forgetting;
  expect([await first(a, 2000), await first(b, 2000)]).toEqual([1, 2]);
  await blobs.idle();
  expect(cached()).toEqual([]);
});

test('a blob that is read while it is erased is not fetched', async () => {
  const digest = await keep(7);
  let end = () => {};
  far.erasing = new Promise((resolve) => {
    end = resolve;
  });
  const erasing = blobs.erase(digest);
  expect(await first(digest, 2000)).toBe(7);
  await blobs.idle();
  end();
  await erasing;
  expect(cached()).toEqual([]);
});

test('a damaged blob is not kept, and what an earlier process left is removed', async () => {
  const digest = await keep(7);
  const path = join(root, 'far', digest.slice(0, 2), digest);
  const bytes = readFileSync(path);
  bytes[3] ^= 1;
  writeFileSync(path, bytes);
  await first(digest, 2000);
  await blobs.idle();
  expect(cached()).toEqual([]);
  writeFileSync(join(root, 'cache', digest), 'half');
  blobs = await CachedBlobs.over(far, { directory: join(root, 'cache'), mostBytes: 2500 });
  expect(cached()).toEqual([]);
});

test('what was collected and is put anew is fetched as any other', async () => {
  const digest = await keep(7);
  await blobs.erase(digest);
  expect(await keep(7)).toBe(digest);
  expect(await first(digest, 2000)).toBe(7);
  await blobs.idle();
  expect(cached()).toEqual([digest]);
});
