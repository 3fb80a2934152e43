import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeAudit } from '../../../models/attacks/audit-file.js';
import { createBundle } from '../../../models/bundle/bundle.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/http/client.js';
import { publish } from '../../../services/registry/publish.js';
import { fetchAudits, publishAudit } from '../../../services/registry/published-audits.js';
import { sampleAudit } from '../../models/attacks/sample-audit.js';
import { manifestFields, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { createWorld, serve, type World } from '../world.js';

let world: World;
let servers: Servers;
let bundle: string;
let digest: string;
const model = { name: 'tiny', version: '1.0.0' };
const client = (token: string) =>
  new ServiceClient({ baseUrl: servers.addresses.registry ?? '', token });

beforeAll(async () => {
  world = createWorld();
  servers = await serve(world);
  bundle = join(mkdtempSync(join(tmpdir(), 'tacet-audits-')), 'bundle');
  const fields = { ...manifestFields(), ...model };
  digest = await createBundle(bundle, fields, tinyWeights(), world.keys.provider);
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
    audits: [],
    untrusted: 1,
  });
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
