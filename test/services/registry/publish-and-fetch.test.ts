import type { KeyObject } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { fetchModel } from '../../../services/client/fetch-model.js';
import { publish } from '../../../services/client/publish.js';
import { manifestFields, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { WORDS } from '../institution/notes.js';
import { createPublisher, type Publisher, removePublisher } from '../institution/publisher.js';
import { createWorld, serve, type World } from '../world.js';

describe('a model in a registry', () => {
  let publisher: Publisher;
  let world: World;
  let servers: Servers;
  let root: string;
  let trustedKeys: KeyObject[];
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    trustedKeys = [await readPublicKey(publisher.publicKeyFile)];
    world = await createWorld();
    servers = await serve(world);
    const { identities } = servers.store;
    await identities.approve(
      (await identities.request('provider', rawPublicKey(trustedKeys[0] as KeyObject))).keyId,
    );
    root = await mkdtemp(join(tmpdir(), 'tacet-fetch-'));
    await publish(publisher.representation, client('provider'));
  });
  afterAll(async () => {
    await servers.close();
    world.remove();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const client = (role: 'provider' | 'institution') =>
    new ServiceClient({ baseUrl: servers.addresses.registry ?? '', token: world.tokens[role] });
  const tiny = { name: 'tiny', version: '1.0.0' };

  test('is fetched byte for byte, by version or alias', async () => {
    for (const version of ['1.0.0', 'latest']) {
      const directory = join(root, version);
      const model = await fetchModel(client('institution'), { ...tiny, version }, directory, {
        trustedKeys,
      });
      expect(model).toMatchObject({ ...tiny, publisher: 'provider', status: 'published' });
      for (const name of await readdir(publisher.representation))
        expect(await readFile(join(directory, name))).toEqual(
          await readFile(join(publisher.representation, name)),
        );
    }
  });

  test('may be published again without effect', async () => {
    await expect(publish(publisher.representation, client('provider'))).resolves.toMatchObject(
      tiny,
    );
  });

  test.each([
    ['training.corpus', { training: { objective: 'none', documents: 10, seed: 1 } }],
    ['training.documents', { training: { objective: 'none', corpus: 'tiny', seed: 1 } }],
    ['scores', { scores: {} }],
  ])(
    'that does not state its %s is not published, and can still be read',
    async (missing, less) => {
      const directory = join(root, missing);
      const key = await readPrivateKey(publisher.privateKeyFile);
      await createBundle(
        directory,
        { fields: { ...manifestFields(), ...less }, weights: tinyWeights() },
        key,
      );
      const { manifest } = await verifyBundle(directory, { trustedKeys });
      expect(manifest.name).toBe('tiny');
      await expect(publish(directory, client('provider'))).rejects.toMatchObject({
        code: 'bundle-invalid',
        message: expect.stringContaining(missing),
      });
    },
  );

  test('of an unpinned publisher is not put in place', async () => {
    const directory = join(root, 'unpinned');
    const before = await readdir(root);
    await expect(
      fetchModel(client('institution'), tiny, directory, { trustedKeys: [] }),
    ).rejects.toMatchObject({ code: 'key-untrusted' });
    expect(await readdir(root)).toEqual(before);
  });

  test('does not replace what is there', async () => {
    await expect(
      fetchModel(client('institution'), tiny, root, { trustedKeys }),
    ).rejects.toMatchObject({ code: 'file-exists' });
  });

  test('that was revoked is refused with the reason', async () => {
    const pipeline = { name: 'tiny-pipeline', version: '1.0.0' };
    await publish(publisher.pipeline, client('provider'));
    await client('provider').json('POST', '/v1/models/tiny-pipeline/1.0.0/revoke', {
      reason: 'weak noise',
    });
    await expect(
      fetchModel(client('institution'), pipeline, join(root, 'revoked'), { trustedKeys }),
    ).rejects.toThrow(/revoked by provider: weak noise/);
  });
});
