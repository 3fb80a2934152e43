import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { blobsAt, placeOf } from '../../../pool-store/blobs/blob-place.js';
import type { Blobs } from '../../../pool-store/blobs/blobs.js';
import { copyBlobs } from '../../../pool-store/copies/copy-blobs.js';
import { contentOf } from '../content.js';
import { placeBlobs, rawBlobs } from '../test-place.js';

let root: string;
let from: Blobs;
let to: Blobs;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-copy-'));
  for (const name of ['from', 'to']) mkdirSync(join(root, name, 'blobs'), { recursive: true });
  from = blobsAt('disk', join(root, 'from'));
  const target = placeBlobs(join(root, 'to'));
  to = blobsAt(placeOf(target), target);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function keep(value: number): Promise<string> {
  const bytes = Buffer.alloc(1000, value);
  const digest = createHash('sha256').update(bytes).digest('hex');
  await from.put(contentOf(bytes), digest);
  return digest;
}

test('a copy that was cut off goes on, there and back, and names what is damaged', async () => {
  const digests: string[] = [];
  for (let value = 10; value < 20; value++) digests.push(await keep(value));
  const abort = new AbortController();
  const onBlob = () => abort.abort(new Error('cut off'));
  await expect(copyBlobs(from, to, { signal: abort.signal, onBlob })).rejects.toThrow('cut off');
  const damaged = await keep(4);
  await rawBlobs(join(root, 'from')).write(damaged, 'x');
  const { blobs, copied, ...rest } = await copyBlobs(from, to);
  expect({ blobs, ...rest }).toEqual({ blobs: 10, damaged: [damaged], extra: [] });
  expect(copied).toBeLessThan(10);
  for (const digest of digests) await from.erase(digest);
  expect((await copyBlobs(to, from)).copied).toBe(10);
  for (const digest of digests) expect(await from.size(digest)).toBe(1000);
});

test('a mirror loses what its source has lost, but never everything', async () => {
  const [kept, gone] = [await keep(1), await keep(2)];
  await copyBlobs(from, to);
  await from.erase(gone);
  expect((await copyBlobs(from, to)).extra).toEqual([gone]);
  expect(await to.size(gone)).toBe(1000);
  expect((await copyBlobs(from, to, { mirror: true })).extra).toEqual([gone]);
  expect(await to.size(gone)).toBeUndefined();
  await from.erase(kept);
  await expect(copyBlobs(from, to, { mirror: true })).rejects.toThrow(/erase all/);
  expect(await to.size(kept)).toBe(1000);
});
