import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import type { Model } from '../../../pool-store/models/models.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { PATHS } from '../../../proto/paths.js';
import type { Publication } from '../../../proto/publication.js';
import { ServiceClient } from '../../../services/client/client.js';
import { manifestFields, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { servedWorld } from '../served-world.js';
import { sha256 } from '../world.js';

const site = servedWorld();
let bundles: string;

beforeAll(() => {
  bundles = mkdtempSync(join(tmpdir(), 'tacet-bundles-'));
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

interface Provider {
  readonly client: ServiceClient;
  readonly key: KeyObject;
}

async function enrolled(name: string): Promise<Provider> {
  const { identities, tokens } = site.servers.store;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { keyId } = await identities.request(name, rawPublicKey(publicKey));
  await identities.approve(keyId);
  const { token } = await tokens.create({ role: 'provider', name });
  const client = new ServiceClient({ baseUrl: site.servers.addresses.registry ?? '', token });
  return { client, key: privateKey };
}

async function uploaded(
  { client, key }: Provider,
  name: string,
  version: string,
): Promise<Publication> {
  const directory = join(bundles, `${name}-${version}`);
  const contents = { fields: { ...manifestFields(), name, version }, weights: tinyWeights() };
  const digest = await createBundle(directory, contents, key);
  const files: Record<string, string> = {};
  for (const file of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, file));
    files[file] = sha256(bytes);
    await client.upload(bytes, { digest: files[file], kind: 'bundle-file' });
  }
  return { digest, files };
}

describe('the name of a model', () => {
  test('belongs to one of two providers who first publish under it at the same time', async () => {
    const [first, second] = [await enrolled('first'), await enrolled('second')];
    const publications = [
      { by: first, publication: await uploaded(first, 'contested', '1.0.0') },
      { by: second, publication: await uploaded(second, 'contested', '2.0.0') },
    ];
    // Both have looked whose the name is before either is written.
    const others = site.servers.store.catalog.write(() => delay(1500));
    const outcomes = await Promise.allSettled(
      publications.map(({ by, publication }) =>
        by.client.json<Model>('POST', PATHS.models, publication),
      ),
    );
    await others;
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toEqual([expect.objectContaining({ code: 'forbidden' })]);
    expect(await site.servers.store.models.list('contested')).toHaveLength(1);
  });
});
