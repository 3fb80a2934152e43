import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import { countersignBundle } from '../../../models/bundle/countersign.js';
import type { ManifestFields } from '../../../models/bundle/manifest.js';
import { joinParts, partOf } from '../../../models/bundle/parts.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import { deidentifierWeights } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import type { RepresentationConfig } from '../../../models/networks/representation-config.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import type { Model } from '../../../pool-store/models/models.js';
import { sign } from '../../../proto/dsse.js';
import type { Publication } from '../../../proto/publication.js';
import { AUDIT_TYPE } from '../../../proto/publication.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { fetchModel } from '../../../services/client/fetch-model.js';
import { publish as publishFolder } from '../../../services/client/publish.js';
import { sampleAudit } from '../../models/attacks/sample-audit.js';
import { manifestFields, randomWeights, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { smallOrderKeys } from '../../proto/small-order-keys.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
let bundles: string;
const as = (role: Role) =>
  new ServiceClient({ baseUrl: servers.addresses.registry ?? '', token: world.tokens[role] });
const coded = (code: string) => expect.objectContaining({ code });

beforeAll(async () => {
  world = await createWorld();
  bundles = mkdtempSync(join(tmpdir(), 'tacet-bundles-'));
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
  rmSync(bundles, { recursive: true, force: true });
});

/** Makes a bundle, uploads its files, and returns what a provider posts. */
async function uploaded(
  version: string,
  key: KeyObject = world.keys.provider,
  facts: Partial<ManifestFields> = {},
  weights: NamedArrays = tinyWeights(),
): Promise<Publication> {
  const directory = join(bundles, `${version}-${readdirSync(bundles).length}`);
  const digest = await createBundle(
    directory,
    { fields: { ...manifestFields(), ...facts, version }, weights },
    key,
  );
  const files: Record<string, string> = {};
  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name));
    files[name] = sha256(bytes);
    await as('provider').upload(bytes, { digest: files[name], kind: 'bundle-file' });
  }
  return { digest, files };
}

async function publish(version: string): Promise<Model> {
  return as('provider').json('POST', '/v1/models', await uploaded(version));
}

describe('a registry', () => {
  test('takes a bundle with a model.sig and gives it out, and refuses one of other files', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const publishable = async (version: string) => {
      const directory = join(bundles, `${version}-with-model-sig`);
      const fields = { ...manifestFields(), version };
      const contents = { fields, weights: tinyWeights(), modelKey: privateKey };
      const digest = await createBundle(directory, contents, world.keys.provider);
      return { directory, digest };
    };
    const post = async (directory: string, digest: string) => {
      const files: Record<string, string> = {};
      for (const name of readdirSync(directory)) {
        const bytes = readFileSync(join(directory, name));
        files[name] = sha256(bytes);
        await as('provider').upload(bytes, { digest: files[name], kind: 'bundle-file' });
      }
      await as('provider').json('POST', '/v1/models', { digest, files });
      return files;
    };
    const good = await publishable('0.0.1');
    const files = await post(good.directory, good.digest);
    const found = await as('consumer').json<{ files: object }>('GET', '/v1/models/tiny/0.0.1');
    expect(found.files).toEqual(files);
    const bad = await publishable('0.0.2');
    copyFileSync(join(good.directory, 'model.sig'), join(bad.directory, 'model.sig'));
    await expect(post(bad.directory, bad.digest)).rejects.toMatchObject({
      code: 'bundle-signature',
    });
  });

  test('gives out a published bundle, file by file, under version and alias', async () => {
    const publication = await uploaded('1.0.0');
    await as('provider').json('POST', '/v1/models', publication);
    const name = () =>
      as('provider').json('PUT', '/v1/models/tiny/aliases/stable', { version: '1.0.0' });
    const named = await name();
    const head = await servers.store.log.head();
    expect(await name()).toEqual(named);
    expect(await servers.store.log.head()).toEqual(head);
    for (const version of ['1.0.0', 'stable', 'latest']) {
      const model = await as('institution').json<Publication & { manifest: { name: string } }>(
        'GET',
        `/v1/models/tiny/${version}`,
      );
      expect(model).toEqual(expect.objectContaining({ ...publication, status: 'published' }));
      expect(model.manifest.name).toBe('tiny');
    }
    const digest = publication.files['weights.safetensors'];
    expect(sha256(await as('institution').download(digest))).toBe(digest);
  });

  test('takes a bundle twice as once, and no other one under its version', async () => {
    const publication = await uploaded('1.1.0');
    const first = await as('provider').json('POST', '/v1/models', publication);
    expect(await as('provider').json('POST', '/v1/models', publication)).toEqual(first);
    const other = as('provider').json('POST', '/v1/models', await uploaded('1.1.0'));
    await expect(other).rejects.toEqual(coded('conflict'));
  });

  test('refuses a bundle that no key of the publisher signed', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const publication = await uploaded('2.0.0', privateKey);
    const answer = as('provider').json('POST', '/v1/models', publication);
    await expect(answer).rejects.toEqual(coded('key-untrusted'));
  });

  test('refuses a model that does not say what it was trained on', async () => {
    const training = { objective: 'certified', documents: 10, seed: 1 };
    const publication = await uploaded('2.2.0', world.keys.provider, { training });
    const answer = as('provider').json('POST', '/v1/models', publication);
    await expect(answer).rejects.toEqual(coded('bundle-invalid'));
  });

  test('refuses a pipeline that learned from notes in clear beside releases, whoever asks', async () => {
    const { architecture, labelScheme, embeddings } = manifestFields();
    const representation = architecture.representation as RepresentationConfig;
    const deidentifier = {
      ...{ ...DEIDENTIFIER_DEFAULTS, units: 2, layers: 1, labels: labelScheme.labels.length },
      ...{ inputDimension: representation.dimension, wordDimension: embeddings.dimension },
    };
    const own = partOf(tinyWeights(), 'representation');
    const reader = randomWeights(deidentifierWeights(deidentifier), 2);
    const publication = await uploaded(
      '2.3.0',
      world.keys.provider,
      { kind: 'pipeline', architecture: { representation, deidentifier } },
      joinParts({ representation: own, deidentifier: reader }),
    );
    const answer = as('provider').json('POST', '/v1/models', publication);
    await expect(answer).rejects.toThrow(coded('model-unsuitable'));
    await expect(answer).rejects.toThrow(/learned from notes in clear/);
  });

  test('refuses a file exchanged, left out, added or not uploaded', async () => {
    const { digest, files } = await uploaded('2.1.0');
    const card = files['MODEL_CARD.md'];
    const { 'MODEL_CARD.md': _, ...fewer } = files;
    for (const [changed, code] of [
      [{ ...files, 'weights.safetensors': card }, 'bundle-digest'],
      [fewer, 'bundle-digest'],
      [{ ...files, 'extra.txt': card }, 'bundle-digest'],
      [{ ...files, 'weights.safetensors': '00'.repeat(32) }, 'not-found'],
    ] as const) {
      const answer = as('provider').json('POST', '/v1/models', { digest, files: changed });
      await expect(answer).rejects.toEqual(coded(code));
    }
  });

  test('keeps a name for the provider who took it first', async () => {
    await publish('3.0.0');
    const { tokens, identities } = servers.store;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    await identities.approve((await identities.request('rival', rawKey)).keyId);
    const rival = new ServiceClient({
      baseUrl: servers.addresses.registry ?? '',
      token: (await tokens.create({ role: 'provider', name: 'rival' })).token,
    });
    const answer = rival.json('POST', '/v1/models', await uploaded('3.1.0', privateKey));
    await expect(answer).rejects.toEqual(coded('forbidden'));
    const revoke = rival.json('POST', '/v1/models/tiny/3.0.0/revoke', { reason: 'envy' });
    await expect(revoke).rejects.toEqual(coded('forbidden'));
  });

  test('shows why a model was deprecated or revoked, and never takes a revocation back', async () => {
    await publish('4.0.0');
    const path = '/v1/models/tiny/4.0.0';
    await as('provider').json('POST', `${path}/deprecate`, { reason: 'old' });
    expect(await as('auditor').json('GET', path)).toEqual(
      expect.objectContaining({ status: 'deprecated', reason: 'old' }),
    );
    await as('admin').json('POST', `${path}/revoke`, { reason: 'leaks' });
    const again = as('provider').json('POST', `${path}/deprecate`, { reason: 'better' });
    await expect(again).rejects.toEqual(coded('conflict'));
    expect(await as('auditor').json('GET', path)).toEqual(
      expect.objectContaining({ status: 'revoked', reason: 'leaks' }),
    );
  });

  test('attaches audits that an auditor signed about this very model', async () => {
    const { digest } = await publish('5.0.0');
    const path = '/v1/models/tiny/5.0.0/audits';
    const envelope = (model: string, key: KeyObject) =>
      sign(AUDIT_TYPE, Buffer.from(JSON.stringify(sampleAudit({ model }))), key);
    const post = (body: unknown) => as('auditor').json('POST', path, body);
    await post(envelope(digest, world.keys.auditor));
    await post(envelope(digest, world.keys.auditor));
    await expect(post(envelope('00'.repeat(32), world.keys.auditor))).rejects.toEqual(
      coded('request-invalid'),
    );
    await expect(post(envelope(digest, world.keys.provider))).rejects.toEqual(
      coded('key-untrusted'),
    );
    expect(await as('institution').json('GET', path)).toEqual([
      expect.objectContaining({ model: digest }),
    ]);
  });

  test('keeps the signatures that are added to a published bundle, and loses none', async () => {
    const directory = join(bundles, 'countersigned');
    const fields = { ...manifestFields(), version: '7.0.0' };
    await createBundle(directory, { fields, weights: tinyWeights() }, world.keys.provider);
    const { digest } = await publishFolder(directory, as('provider'));
    const alone = await (await servers.store.models.filesOf(digest))['signature.json'];
    const officer = generateKeyPairSync('ed25519');
    const trustedKeys = [createPublicKey(world.keys.provider)];
    await countersignBundle(directory, officer.privateKey, { trustedKeys });
    await publishFolder(directory, as('provider'));
    const fetched = join(bundles, 'fetched-countersigned');
    const both = [...trustedKeys, officer.publicKey];
    const model = { name: 'tiny', version: '7.0.0' };
    await fetchModel(as('institution'), model, fetched, { trustedKeys: both });
    const { keyIds } = await verifyBundle(fetched, { trustedKeys: both, signedBy: 'all' });
    expect(keyIds).toHaveLength(2);

    const files = { ...(await servers.store.models.filesOf(digest)), 'signature.json': alone };
    const less = as('provider').json('POST', '/v1/models', { digest, files });
    await expect(less).rejects.toEqual(coded('conflict'));
  });

  test('takes no alias that would be taken for a version', async () => {
    await publish('8.0.0');
    const put = as('provider').json('PUT', '/v1/models/tiny/aliases/8.0.1', { version: '8.0.0' });
    await expect(put).rejects.toEqual(coded('request-invalid'));
  });

  test('lists models, and those whose name holds a word', async () => {
    const all = await as('consumer').json<Model[]>('GET', '/v1/models');
    expect(await as('consumer').json('GET', '/v1/models?search=tin')).toEqual(all);
    expect(await as('consumer').json('GET', '/v1/models?search=none')).toEqual([]);
  });

  test('knows a key once an administrator approved it', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    const request = (name: string) =>
      as('provider').json<{ keyId: string; approved: string | null }>('POST', '/v1/identities', {
        name,
        publicKey: rawKey.toString('base64'),
      });
    await expect(request('somebody-else')).rejects.toEqual(coded('forbidden'));
    const { keyId, approved } = await request('provider');
    expect(approved).toBeNull();
    expect(await servers.store.identities.keysOf('provider')).toHaveLength(1);
    await as('admin').json('POST', `/v1/identities/${keyId}/approve`);
    expect(await servers.store.identities.keysOf('provider')).toHaveLength(2);
  });

  test('takes no key under which anyone can sign, nor uses one that an earlier version took', async () => {
    for (const raw of smallOrderKeys()) {
      const publicKey = raw.toString('base64');
      const answer = as('admin').json('POST', '/v1/identities', { name: 'provider', publicKey });
      await expect(answer).rejects.toEqual(coded('key-invalid'));
    }
    const { catalog, identities } = servers.store;
    const [weak] = smallOrderKeys();
    const earlier = { name: 'earlier', public_key: weak as Buffer, requested: 'then' };
    await catalog.write((transaction) =>
      transaction
        .insertInto('identities')
        .values([
          { ...earlier, key_id: 'approved', approved: 'then' },
          { ...earlier, key_id: 'asked', approved: null },
        ])
        .execute(),
    );
    expect(await identities.keysOf('earlier')).toEqual([]);
    await expect(identities.approve('asked')).rejects.toEqual(coded('key-invalid'));
  });
});

describe('a pool beside the registry of a model', () => {
  test('refuses vectors that the model cannot have made', async () => {
    const { digest: model } = await publish('6.0.0');
    const pool = new ServiceClient({
      baseUrl: servers.addresses.pool ?? '',
      token: world.tokens.institution,
    });
    const fits = { dimension: 2, labelSchemeDigest: 'a'.repeat(64), labelCount: 3 };
    for (const [number, [changes, refusal]] of [
      // A uniform number has a mean square of 1/3; the noise of the model gives 1 + 2 / 4 a token.
      [{}, /mean squared norm of 0\.\d+; the model's noise gives 1\.5/],
      [{ dimension: 3 }, /the dimension 3; the model has 2/],
      [{ labelCount: 4 }, /a number of labels of 4; the model has 3/],
      [{ labelSchemeDigest: 'b'.repeat(64) }, /the label scheme b+; the model has a+/],
    ].entries() as Iterable<[number, [Partial<SegmentShape>, RegExp]]>) {
      const of = { modelDigest: model, ...fits, ...changes };
      const bytes = segmentOf(200, 50 + number, of);
      await pool.upload(bytes, { digest: sha256(bytes), kind: 'segment' });
      const named = { model, labelScheme: of.labelSchemeDigest };
      const envelope = contributionOf([bytes], world.keys.institution, named);
      const answer = pool.json('POST', '/v1/contributions', envelope);
      await expect(answer).rejects.toThrow(refusal);
    }
  });
});
