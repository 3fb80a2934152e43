import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { blobsAt, placeOf } from '../../pool-store/blobs/blob-place.js';
import { copyBlobs } from '../../pool-store/copies/copy-blobs.js';
import { openServedStore } from '../../pool-store/served-store.js';
import type { Store } from '../../pool-store/store.js';
import { BucketServer } from './blobs/s3/bucket-server.js';
import { catalogFor, openStore } from './opened-store.js';
import { Giver } from './pooled-store.js';

const coded = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });
const cacheBytes = 1e6;

let root: string;
let server: BucketServer;
let place: string;
const at = (name: string) => join(root, name);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tacet-served-'));
  writeFileSync(at('credentials'), 'AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b\n');
  chmodSync(at('credentials'), 0o600);
  server = new BucketServer();
  place = `${await server.start()}&credentials=${at('credentials')}`;
});
afterEach(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

async function served(name: string): Promise<Store> {
  const catalog = await catalogFor(at(name));
  return openServedStore(at(name), { place, cacheBytes, catalog });
}

test('a store goes to a bucket once that has its blobs, and is found there from then on', async () => {
  const before = await openStore(at('store'));
  const { segment, id } = await (await Giver.of(before)).give(1);
  await before.close();
  const moving = () => served('store');
  await expect(moving()).rejects.toEqual(coded('config-invalid', /lacks 1 of the 1 blobs/));
  expect(placeOf(at('store'))).toBe('disk');
  await copyBlobs(blobsAt('disk', at('store')), blobsAt(place, at('store')));
  await (await moving()).close();
  expect(placeOf(at('store'))).toBe(place);
  const store = await openStore(at('store'));
  expect(await store.blobs.size(segment)).toBeGreaterThan(0);
  await store.contributions.withdraw(id);
  expect([...server.objects.keys()]).toEqual([]);
  await store.close();
});

test('a store that is closed leaves no copies of what lies in its bucket', async () => {
  const store = await served('store');
  const { segment } = await (await Giver.of(store)).give(1);
  await (await store.blobs.open(segment, 0)).close();
  expect(readdirSync(at('store/cache'))).toEqual([segment]);
  await store.close();
  expect(readdirSync(at('store/cache'))).toEqual([]);
});

test('a bucket of blobs is not served with a catalog that knows of none', async () => {
  const store = await served('store');
  await (await Giver.of(store)).give(1);
  await store.close();
  const [held] = server.objects.keys();
  await expect(served('other')).rejects.toEqual(
    coded('store-damaged', /catalog\.db is missing or empty/),
  );
  expect([...server.objects.keys()]).toEqual([held]);
});

test('a bucket that is away is not served, and nothing was changed', async () => {
  server.close();
  const starting = served('store');
  await expect(starting).rejects.toEqual(coded('store-unavailable', /does not answer/));
  expect(placeOf(at('store'))).toBe('disk');
});
