import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../../models/bundle/bundle.js';
import { createKeyFiles } from '../../../../models/bundle/key-files.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { ServiceClient } from '../../../../services/client/client.js';
import { publish } from '../../../../services/client/publish.js';
import { writeAuditFiles } from '../../../../services/workflows/audit/audit-report-files.js';
import { auditSummary } from '../../../../services/workflows/audit/audit-summary.js';
import { sampleAttack, sampleAudit } from '../../../models/attacks/sample-audit.js';
import { manifestFields, tinyWeights } from '../../../models/bundle/manifest-fields.js';
import { createWorld, serve, type World } from '../../world.js';
import { capturedRun } from '../captured-run.js';

let world: World;
let servers: Servers;
let folder: string;
let registry: readonly string[];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  world = await createWorld();
  folder = mkdtempSync(join(tmpdir(), 'tacet-audit-command-'));
  servers = await serve(world);
  const baseUrl = servers.addresses.registry ?? '';
  registry = ['--registry', baseUrl];
  const fields = { ...manifestFields(), name: 'tiny', version: '1.0.0' };
  const digest = await createBundle(
    at('bundle'),
    { fields, weights: tinyWeights() },
    world.keys.provider,
  );
  await publish(at('bundle'), new ServiceClient({ baseUrl, token: world.tokens.provider }));
  await writeAuditFiles(at('audit'), sampleAudit({ model: digest }));
  const key = world.keys.auditor;
  writeFileSync(at('private.pem'), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  writeFileSync(at('public.pem'), publicKey);
});
afterAll(async () => {
  await servers.close();
  world.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('tacet audit', () => {
  test('publish signs and attaches an audit, and show reads it under trusted keys', async () => {
    const published = await capturedRun(
      ...['audit', 'publish', at('audit'), 'tiny', '1.0.0', ...registry],
      ...['--key', at('private.pem'), '--token', world.tokens.auditor],
    );
    expect(published).toMatchObject({ exit: 0, stderr: '' });
    expect(published.stdout).toContain('attached audit');

    const shown = await capturedRun(
      ...['audit', 'show', 'tiny', 'latest', ...registry, '--trust', at('public.pem')],
      ...['--token', world.tokens.institution, '--out', at('shown')],
    );
    expect(shown.exit).toBe(0);
    expect(shown.stdout).toContain(sampleAudit().verdict);
    const page = shown.stdout.split('\n').find((line) => line.endsWith('audit.html')) ?? '';
    const text = readFileSync(page, 'utf8');
    for (const says of [
      ...[sampleAudit().verdict, 'sample-model 1.2.0', 'provider, as the registry says'],
      ...['auditor, as the registry says', registry[1], 'no policy was given'],
    ])
      expect(text).toContain(says);
  });

  test('show says of each audit whether a policy accepts it', async () => {
    const other = await createKeyFiles(at('other-keys'));
    const policy = (key: string) =>
      JSON.stringify({
        ...{ publisherKeys: [other.publicKeyFile], maxReleases: 1, minDocuments: 1 },
        audit: { auditorKeys: [key] },
      });
    writeFileSync(at('policy.json'), policy(at('public.pem')));
    writeFileSync(at('of-another.json'), policy(other.publicKeyFile));
    const shown = (file: string, ...more: string[]) =>
      capturedRun(
        ...['audit', 'show', 'tiny', 'latest', ...registry, '--trust', at('public.pem')],
        ...['--token', world.tokens.institution, '--policy', at(file), ...more],
      );
    const { stdout } = await shown('policy.json');
    expect(stdout).toMatch(
      /policy: policy.json does not accept this audit: it moved words among 50/,
    );
    const another = await shown('of-another.json', '--json');
    expect(JSON.parse(another.stdout)[0].policy.against).toContain('no key that signed it');
  });

  test('publish says of a key that is not approved where, and what to run', async () => {
    const { keyId, privateKeyFile, publicKeyFile } = await createKeyFiles(at('new-keys'));
    writeFileSync(at('auditor.token'), world.tokens.auditor, { mode: 0o600 });
    const publish = () =>
      capturedRun(
        ...['audit', 'publish', at('audit'), 'tiny', '1.0.0', ...registry],
        ...['--key', privateKeyFile, '--token-file', at('auditor.token')],
      );
    const unknown = await publish();
    expect(unknown.exit).toBe(4);
    expect(unknown.stderr).toContain(`key-untrusted: ${registry[1]}: key ${keyId} is not known`);
    const command =
      `tacet identity request --server ${registry[1]} ` +
      `--token-file ${at('auditor.token')} --key ${publicKeyFile}`;
    expect(unknown.stderr).toContain(command);
    expect(await capturedRun(...command.split(' ').slice(1))).toMatchObject({ exit: 0 });

    const waiting = await publish();
    expect(waiting.stderr).toContain('was asked for by auditor');
    expect(waiting.stderr).toContain(`tacet identity approve ${keyId} --server ${registry[1]}`);
  });

  test('publish refuses an audit of anything but the bundle', async () => {
    await writeAuditFiles(at('contribution'), sampleAudit({ attacked: 'contribution' }));
    const { exit, stderr } = await capturedRun(
      ...['audit', 'publish', at('contribution'), 'tiny', '1.0.0', ...registry],
      ...['--key', at('private.pem'), '--token', world.tokens.auditor],
    );
    expect(exit).toBe(3);
    expect(stderr).toContain('not of the bundle');
  });

  test('publish says in one line where there is no audit, or a malformed one', async () => {
    writeFileSync(at('audit.json'), '{}');
    for (const [directory, says] of [
      ['none', 'run `tacet audit run` first'],
      ['.', 'the audit: '],
    ] as const) {
      const { exit, stderr } = await capturedRun(
        ...['audit', 'publish', at(directory), 'tiny', '1.0.0', ...registry],
        ...['--key', at('private.pem'), '--token', world.tokens.auditor],
      );
      expect(exit).toBe(3);
      expect(stderr).toContain(says);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

test('the summary of raw embeddings states no worst case', () => {
  const raw = sampleAudit({ attacked: 'raw-embeddings', worstCase: null });
  expect(auditSummary(raw).join('\n')).toContain('worst case: no limit holds');
  expect(auditSummary(sampleAudit()).join('\n')).toContain('ε = 280');
});

test('the summary marks an attack that fails on word vectors too', () => {
  const onRaw = sampleAttack(0.5, { name: 'sample-raw-embeddings', role: 'upper baseline' });
  const failing = auditSummary(sampleAudit({ baselines: [onRaw] }));
  expect(failing.find((line) => line.startsWith('sample '))).toContain('not calibrated here');
  expect(auditSummary(sampleAudit()).join()).not.toContain('not calibrated');
});
