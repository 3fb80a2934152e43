import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Store } from '../../../pool-store/store.js';
import { sha256 } from '../../services/world.js';
import { openStore } from '../opened-store.js';

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-models-'));
  store = await openStore(directory);
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('latest is the highest version that is not revoked, in whatever order they were published', async () => {
  const { models } = store;
  const latest = async () => (await models.get('ward', 'latest')).version;
  for (const version of ['1.9.0', '1.10.0', '0.0.9']) {
    const model = { digest: sha256(Buffer.from(version)), name: 'ward', version };
    await models.publish({ ...model, manifest: {}, publisher: 'provider', files: {} });
  }
  expect(await latest()).toBe('1.10.0');
  await models.setStatus('ward', '1.10.0', 'revoked', 'why');
  expect(await latest()).toBe('1.9.0');
  await models.setAlias('ward', 'latest', '0.0.9');
  expect(await latest()).toBe('0.0.9');
});
