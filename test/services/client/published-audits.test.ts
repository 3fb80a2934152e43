import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { writeAudit } from '../../../models/attacks/report/audit-file.js';
import { createBundle } from '../../../models/bundle/bundle.js';
import { type Audit, auditPlace } from '../../../pool-store/models/audits.js';
import { keyIdOf, sign } from '../../../proto/dsse.js';
import { rawPublicKey } from '../../../proto/ed25519-key.js';
import { AUDIT_TYPE } from '../../../proto/publication.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { publish } from '../../../services/client/publish.js';
import { fetchAudits, publishAudit } from '../../../services/client/published-audits.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { checkModelStatus } from '../../../services/institution/approval/model-status.js';
import { sampleAudit } from '../../models/attacks/sample-audit.js';
import { manifestFields, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { createWorld, serve, sha256, type World } from '../world.js';

const MOST = 5;

let world: World;
let servers: Servers;
let bundle: string;
let digest: string;
const model = { name: 'tiny', version: '1.0.0' };
const client = (token: string) =>
  new ServiceClient({ baseUrl: servers.addresses.registry ?? '', token });

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world, { limits: { ...DEFAULT_LIMITS, modelAudits: MOST } });
  bundle = join(mkdtempSync(join(tmpdir(), 'tacet-audits-')), 'bundle');
  const fields = { ...manifestFields(), ...model };
  digest = await createBundle(bundle, { fields, weights: tinyWeights() }, world.keys.provider);
  await publish(bundle, client(world.tokens.provider));
});
afterAll(async () => {
  await servers.close();
  world.remove();
  rmSync(join(bundle, '..'), { recursive: true, force: true });
});

test('an audit is attached by its auditor and read back under its signature', async () => {
  const report = sampleAudit({ model: digest });
  const auditor = client(world.tokens.auditor);
  const { id } = await publishAudit(auditor, model, writeAudit(report), world.keys.auditor);

  const trusted = createPublicKey(world.keys.auditor);
  const found = await fetchAudits(client(world.tokens.institution), model, [trusted]);
  expect(found).toMatchObject({ audits: [{ id, report }], untrusted: 0 });

  const stranger = generateKeyPairSync('ed25519').publicKey;
  expect(await fetchAudits(client(world.tokens.institution), model, [stranger])).toEqual({
    digest,
    audits: [],
    untrusted: 1,
  });
});

test('every signature of a report is kept, whoever posted its bytes first', async () => {
  const { tokens, identities } = servers.store;
  const rival = generateKeyPairSync('ed25519');
  await identities.approve(
    (await identities.request('rival', rawPublicKey(rival.publicKey))).keyId,
  );
  const payload = writeAudit(sampleAudit({ model: digest, seed: 77 }));
  const token = (await tokens.create({ role: 'auditor', name: 'rival' })).token;
  const first = await publishAudit(client(token), model, payload, rival.privateKey);
  const auditor = client(world.tokens.auditor);
  const second = await publishAudit(auditor, model, payload, world.keys.auditor);
  expect(second).toEqual(await publishAudit(auditor, model, payload, world.keys.auditor));
  expect(second.id).toBe(first.id);

  const reader = client(world.tokens.institution);
  const own = createPublicKey(world.keys.auditor);
  const of = async (...trusted: KeyObject[]) => {
    const { audits } = await fetchAudits(reader, model, trusted);
    return audits.filter(({ id }) => id === first.id).map(({ keyIds }) => keyIds);
  };
  expect(await of(own)).toEqual([[keyIdOf(own)]]);
  expect(await of(rival.publicKey)).toEqual([[keyIdOf(rival.publicKey)]]);
  expect((await of(own, rival.publicKey))[0]).toHaveLength(2);
  const { audits } = await reader.json<{ audits: Pick<Audit, 'id' | 'keyId'>[] }>(
    'GET',
    '/v1/models/tiny/1.0.0',
  );
  expect(audits.filter(({ id }) => id === first.id).map(({ keyId }) => keyId)).toEqual([
    keyIdOf(rival.publicKey),
    keyIdOf(own),
  ]);
  const attached = (await servers.store.log.entries()).filter(
    ({ subject }) => subject === first.id,
  );
  expect(attached).toHaveLength(2);
});

test('one envelope with the signatures of two keys of an auditor shows both', async () => {
  const { identities } = servers.store;
  const other = generateKeyPairSync('ed25519');
  await identities.approve(
    (await identities.request('auditor', rawPublicKey(other.publicKey))).keyId,
  );
  const stranger = generateKeyPairSync('ed25519');
  const payload = writeAudit(sampleAudit({ model: digest, seed: 78 }));
  const keys = [stranger.privateKey, world.keys.auditor, other.privateKey];
  const path = '/v1/models/tiny/1.0.0/audits';
  await client(world.tokens.auditor).json('POST', path, sign(AUDIT_TYPE, payload, ...keys));
  const held = (await servers.store.audits.of(digest)).filter(({ id }) => id === sha256(payload));
  expect(held.map(({ keyId }) => keyId).sort()).toEqual(keys.slice(1).map(keyIdOf).sort());
  for (const { keyId, envelope } of held)
    expect(envelope.signatures.map(({ keyid }) => keyid)).toEqual([keyId]);
});

test('audits come in pages, and one key signs so many of a model at most', async () => {
  const { audits } = servers.store;
  const auditor = client(world.tokens.auditor);
  const path = '/v1/models/tiny/1.0.0/audits';
  const all = await audits.of(digest);
  expect(await auditor.list<Audit>(`${path}?limit=1`)).toEqual(all);
  expect(await audits.part(digest, {}, 1)).toEqual({ rows: all.slice(0, 1), isMore: true });
  const after = auditPlace(all[0]);
  expect((await audits.part(digest, { after }, Number.POSITIVE_INFINITY)).rows).toEqual(
    all.slice(1),
  );

  const trusted = createPublicKey(world.keys.auditor);
  const keyId = keyIdOf(trusted);
  const signed = async () =>
    (await audits.signaturesOf(digest)).filter((one) => one.keyId === keyId).length;
  const publishOne = (seed: number) =>
    publishAudit(
      auditor,
      model,
      writeAudit(sampleAudit({ model: digest, seed })),
      world.keys.auditor,
    );
  for (let seed = 1000; (await signed()) < MOST; seed++) await publishOne(seed);
  await expect(publishOne(2000)).rejects.toMatchObject({ code: 'too-many-kept', status: 403 });
  await publishOne(1000);
  expect((await fetchAudits(auditor, model, [trusted])).audits).toHaveLength(MOST);
});

test('who takes the first page for all audits is refused where there are more, and clients ask for pages', async () => {
  const { audits } = servers.store;
  const all = await audits.of(digest);
  const reader = client(world.tokens.institution);
  const path = '/v1/models/tiny/1.0.0/audits';
  expect(await reader.json('GET', path)).toEqual(all);

  const part = audits.part.bind(audits);
  const small = jest.spyOn(audits, 'part').mockImplementation((of, page) => part(of, page, 1));
  await expect(reader.json('GET', path)).rejects.toMatchObject({
    code: 'request-invalid',
    message: expect.stringContaining('?limit=1000'),
  });
  const trusted = createPublicKey(world.keys.auditor);
  expect((await fetchAudits(reader, model, [trusted])).audits).toHaveLength(MOST);
  const status = await checkModelStatus(reader, { ...model, digest });
  expect(status.audits).toEqual(all.map(({ envelope }) => envelope));
  small.mockRestore();
});

test('an audit of another bundle, or by a key that is not the auditor’s, is refused', async () => {
  const auditor = client(world.tokens.auditor);
  const other = writeAudit(sampleAudit());
  await expect(publishAudit(auditor, model, other, world.keys.auditor)).rejects.toMatchObject({
    code: 'request-invalid',
  });
  const own = writeAudit(sampleAudit({ model: digest }));
  await expect(publishAudit(auditor, model, own, world.keys.provider)).rejects.toMatchObject({
    code: 'key-untrusted',
  });
});

test('what is not a whole report of the bundle is not attached', async () => {
  const auditor = client(world.tokens.auditor);
  const raw = writeAudit(sampleAudit({ model: digest, attacked: 'raw-embeddings' }));
  const scrap = Buffer.from(JSON.stringify({ model: digest, attacked: 'bundle' }));
  for (const payload of [raw, scrap])
    await expect(publishAudit(auditor, model, payload, world.keys.auditor)).rejects.toMatchObject({
      code: 'audit-invalid',
    });
});
