import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { UploadParts } from '../../../pool-store/blobs/blobs.js';
import { DiskBlobs } from '../../../pool-store/blobs/disk-blobs.js';
import { Store } from '../../../pool-store/store.js';
import { collect } from '../../../services/http/collection.js';
import { sha256 } from '../world.js';

const LIMITS = { uploadHours: 48, blobHours: 168 };
const HOUR_MS = 3_600_000;
const BYTES = randomBytes(1000);

/** Parts of unfinished uploads in memory, from which nothing can be deleted while `isKilled`. */
class KeptParts implements UploadParts {
  readonly kept = new Map<string, { bytes: Buffer; modified: Date }>();
  isKilled = false;

  async put(key: string, { read }: Parameters<UploadParts['put']>[1]): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of read()) chunks.push(chunk);
    this.kept.set(key, { bytes: Buffer.concat(chunks), modified: new Date() });
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    yield this.kept.get(key)?.bytes as Buffer;
  }

  async delete(key: string): Promise<void> {
    if (this.isKilled) throw new Error('killed here');
    this.kept.delete(key);
  }

  async *list(): AsyncGenerator<{ key: string; modified: Date }> {
    for (const [key, { modified }] of this.kept) yield { key, modified };
  }
}

class SharedBlobs extends DiskBlobs {
  constructor(
    directory: string,
    readonly parts: UploadParts,
  ) {
    super(directory);
  }
}

let directory: string;
let parts: KeptParts;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-left-'));
  parts = new KeptParts();
  store = await Store.open(directory, { blobs: new SharedBlobs(directory, parts) });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

async function begin(): Promise<string> {
  const id = randomUUID();
  const announced = { size: BYTES.length, digest: sha256(BYTES), kind: 'bundle-file' as const };
  await store.openUploads.create({ id, ...announced, owner: 'a', holder: 'north' }, () => {});
  return id;
}

async function send(id: string, start: number, stop: number): Promise<void> {
  const upload = await store.openUploads.find(id);
  const incoming = await store.openUploads.receive(
    upload as NonNullable<typeof upload>,
    stop - start,
  );
  writeFileSync(incoming.path, BYTES.subarray(start, stop));
  await incoming.keep(stop - start).finally(() => incoming.discard());
}

const collectAfter = (hours: number) => collect(store, LIMITS, Date.now() + hours * HOUR_MS);

test('what a server left that was killed before it named a part goes an hour later, once two collections found it, and no sooner', async () => {
  const id = await begin();
  await send(id, 0, 400);
  const { catalog } = store;
  const write = catalog.write.bind(catalog);
  catalog.write = () => Promise.reject(new Error('killed here'));
  await expect(send(id, 400, 800)).rejects.toThrow('killed here');
  catalog.write = write;
  expect(parts.kept.size).toBe(2);
  await collectAfter(0.9);
  expect(parts.kept.size).toBe(2);
  await collectAfter(1.1);
  expect(parts.kept.size).toBe(2);
  await collectAfter(1.2);
  expect([...parts.kept.keys()]).toEqual([expect.stringMatching(`^${id}/0-`)]);
  await send(id, 400, 1000);
  expect(await store.blobRecords.find(sha256(BYTES))).toMatchObject({ bytes: BYTES.length });
  expect(parts.kept.size).toBe(0);
});

test('what a server left that was killed when an upload was a blob already goes, too', async () => {
  const id = await begin();
  await send(id, 0, 400);
  parts.isKilled = true;
  await expect(send(id, 400, 1000)).rejects.toThrow('killed here');
  parts.isKilled = false;
  expect(await store.blobRecords.find(sha256(BYTES))).toMatchObject({ bytes: BYTES.length });
  expect(parts.kept.size).toBe(1);
  for (const hours of [1.1, 1.2]) await collectAfter(hours);
  expect(parts.kept.size).toBe(0);
});

test('a part that looked old before its row came stays', async () => {
  const id = await begin();
  const { catalog } = store;
  const write = catalog.write.bind(catalog);
  catalog.write = async (work, area) => {
    catalog.write = write;
    await collectAfter(1.5);
    return write(work, area);
  };
  await send(id, 0, 400);
  await collectAfter(1.6);
  expect(parts.kept.size).toBe(1);
  await send(id, 400, 1000);
  expect(await store.blobRecords.find(sha256(BYTES))).toMatchObject({ bytes: BYTES.length });
});
