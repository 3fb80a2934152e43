import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isWaiting } from '../../../pool-store/members/identities.js';
import type { Store } from '../../../pool-store/store.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { openStore } from '../opened-store.js';

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-identities-'));
  store = await openStore(directory);
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const newKey = () => rawPublicKey(generateKeyPairSync('ed25519').publicKey);
const conflict = (message: RegExp) =>
  expect.objectContaining({ code: 'conflict', message: expect.stringMatching(message) });
const actionsOf = async (keyId: string) =>
  (await store.log.entries()).filter((one) => one.subject === keyId).map((one) => one.action);

test("a key that another asked for is its holder's once the request that waits was refused", async () => {
  const { identities } = store;
  const key = newKey();
  const { keyId } = await identities.request('squatter', key);
  await expect(identities.request('north', key)).rejects.toEqual(
    conflict(/was asked for as squatter's .* --name north/),
  );
  expect(isWaiting(await identities.end(keyId))).toBe(true);
  expect(await identities.request('north', key)).toMatchObject({ keyId, name: 'north' });
  expect(await identities.approve(keyId)).toMatchObject({ name: 'north' });
  expect(await actionsOf(keyId)).toEqual([
    ...['identity-requested', 'identity-refused', 'identity-requested', 'identity-approved'],
  ]);
  await expect(identities.request('squatter', key)).rejects.toEqual(conflict(/another name/));
});

test('an administrator registers a key in the place of a request that waits, not of a key that counts', async () => {
  const { identities } = store;
  const key = newKey();
  await identities.request('squatter', key);
  const registered = await identities.register('north', key);
  expect(registered).toMatchObject({ name: 'north', approved: expect.any(String) });
  expect(await identities.register('north', key)).toEqual(registered);
  await expect(identities.register('south', key)).rejects.toEqual(conflict(/another name/));
  expect((await identities.end(registered.keyId)).revoked).not.toBeNull();
  for (const name of ['north', 'south'])
    await expect(identities.register(name, key)).rejects.toEqual(conflict(/another|for good/));
});
