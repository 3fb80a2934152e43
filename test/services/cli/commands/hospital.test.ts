import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../models/bundle/key-files.js';
import { peekBundle } from '../../../../models/bundle/verify.js';
import { sign } from '../../../../proto/dsse.js';
import { rawPublicKey } from '../../../../proto/ed25519-key.js';
import { AUDIT_TYPE } from '../../../../proto/publication.js';
import type { Servers } from '../../../../services/cli/servers.js';
import { ServiceClient } from '../../../../services/client/client.js';
import { completeAudit } from '../../../models/attacks/sample-audit.js';
import { WORDS } from '../../institution/notes.js';
import { publishedSite } from '../../institution/published-site.js';
import { createWorld, serve, sha256, type World } from '../../world.js';
import { capturedRun } from '../captured-run.js';

describe('what a hospital runs', () => {
  const site = publishedSite();
  let world: World;
  let servers: Servers;
  beforeAll(async () => {
    world = await createWorld();
    servers = await serve(world);
    const key = await readPublicKey(site.publisher.publicKeyFile);
    const { identities } = servers.store;
    await identities.approve((await identities.request('provider', rawPublicKey(key))).keyId);
    await writeFile(
      join(site.root, 'notes.jsonl'),
      WORDS.map((word) =>
        JSON.stringify({ id: word, text: `alpha ${word} gamma.`, spans: [] }),
      ).join('\n'),
    );
    const auditor = (await servers.store.identities.keysOf('auditor'))[0];
    await writeFile(
      join(site.root, 'auditor.pem'),
      auditor?.export({ type: 'spki', format: 'pem' }) as string,
    );
    await writeFile(
      join(site.root, 'policy.json'),
      JSON.stringify({
        publisherKeys: [site.publisher.publicKeyFile],
        audit: { auditorKeys: ['auditor.pem'], maxAttackSuccess: 0.6 },
        maxReleases: 1,
        minDocuments: 3,
        labelDocuments: 6,
      }),
    );
    await on('provider')('publish', site.publisher.representation);
  });
  afterAll(async () => {
    await servers.close();
    world.remove();
  });

  const on =
    (role: 'provider' | 'institution' | 'consumer') =>
    (...args: string[]) =>
      capturedRun(
        '--json',
        ...args,
        ...['--registry', servers.addresses.registry ?? '', '--token', world.tokens[role]],
      );
  let isEncodedIn = false;
  const model = () => [
    ...['--model', site.publisher.representation, '--embeddings', site.publisher.embeddingsFile],
    ...['--policy', join(site.root, 'policy.json')],
    ...[isEncodedIn ? '--home' : '--new-home', join(site.root, 'home')],
  ];
  const preflight = async (role: 'institution' | 'consumer', ...more: string[]) => {
    const pool = ['--pool', servers.addresses.pool ?? ''];
    const { exit, stdout } = await on(role)('preflight', ...model(), ...pool, ...more);
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; passed: boolean | null; advice: string }[];
    };
    return { exit, checks, failed: checks.filter(({ passed }) => passed === false) };
  };
  const digest = async () => {
    expect((await peekBundle(site.publisher.representation)).manifest.name).toBe('tiny');
    return sha256(await readFile(join(site.publisher.representation, 'manifest.json')));
  };

  test('preflight names what is missing, and what to do about each', async () => {
    const { exit, failed } = await preflight('consumer');
    expect(exit).toBe(4);
    expect(failed.map(({ name }) => name)).toEqual(['audit', 'role of the token']);
    for (const { advice } of failed) expect(advice.length).toBeGreaterThan(20);
  });

  test('encode refuses the model while the policy’s audit is missing', async () => {
    const { exit, stderr } = await on('institution')(
      'encode',
      join(site.root, 'notes.jsonl'),
      ...model(),
    );
    expect([exit, stderr]).toEqual([4, expect.stringContaining('model-unsuitable')]);
  });

  test('preflight passes once an audit within the policy is attached', async () => {
    const report = completeAudit({}, { model: await digest() });
    const envelope = sign(AUDIT_TYPE, Buffer.from(JSON.stringify(report)), world.keys.auditor);
    const file = join(site.root, 'audit.json');
    await writeFile(file, JSON.stringify(envelope));
    const { exit, checks } = await preflight('institution', '--audit', file);
    expect(checks.map(({ passed }) => passed)).toEqual(checks.map(() => true));
    expect(exit).toBe(0);
    const auditor = new ServiceClient({
      baseUrl: servers.addresses.registry ?? '',
      token: world.tokens.auditor,
    });
    await auditor.json('POST', '/v1/models/tiny/1.0.0/audits', envelope);
    expect((await preflight('institution')).exit).toBe(0);
  });

  test('a dry run shows counts and releases nothing; the job then releases them', async () => {
    const encode = (...more: string[]) =>
      on('institution')(
        'encode',
        join(site.root, 'notes.jsonl'),
        ...model(),
        '--without-phi',
        ...more,
      );
    const silent = await on('institution')('encode', join(site.root, 'notes.jsonl'), ...model());
    expect([silent.exit, silent.stderr]).toEqual([4, expect.stringContaining('entities-missing')]);
    const counts = { documents: 6, sentences: 6, releasable: 6 };
    const dryRun = JSON.parse((await encode('--dry-run')).stdout);
    expect(dryRun).toMatchObject({ ...counts, released: 0 });
    expect(dryRun.ledger).toMatch(/^[0-9a-f]{32}$/);
    const warned = async () => {
      const notes = join(site.root, 'notes.jsonl');
      const registry = ['--registry', servers.addresses.registry ?? ''];
      const token = ['--token', world.tokens.institution];
      const { stderr } = await capturedRun(
        'encode',
        notes,
        ...model(),
        ...['--without-phi', '--dry-run'],
        ...registry,
        ...token,
      );
      return /a new ledger: nothing counts as released yet/.test(stderr);
    };
    expect(await warned()).toBe(true);
    expect(JSON.parse((await encode()).stdout)).toMatchObject({ ...counts, released: 6 });
    isEncodedIn = true;
    expect(await warned()).toBe(false);
  });

  test('models are searched by name, deprecated, and given other aliases', async () => {
    const found = async (text: string) =>
      (JSON.parse((await on('institution')('model', 'search', text)).stdout) as unknown[]).length;
    expect([await found('tin'), await found('huge')]).toEqual([1, 0]);
    const alias = await on('provider')('model', 'alias', 'tiny', 'stable', '1.0.0');
    expect(alias.exit).toBe(0);
    const reason = ['--reason', 'a better one is coming'];
    const { stdout } = await on('provider')('model', 'deprecate', 'tiny', '1.0.0', ...reason);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'deprecated' });
    const fetched = join(site.root, 'fetched');
    const trust = ['--trust', site.publisher.publicKeyFile];
    expect(
      (await on('institution')('model', 'fetch', 'tiny', 'stable', fetched, ...trust)).exit,
    ).toBe(0);
    expect((await preflight('institution')).exit).toBe(0);
  });

  test('a revoked model is refused at the next check, with the reason', async () => {
    const revoke = ['model', 'revoke', 'tiny', '1.0.0', '--reason', 'it leaks names'];
    expect((await on('institution')(...revoke)).exit).toBe(4);
    expect((await on('provider')(...revoke)).exit).toBe(0);
    const { exit, stderr } = await on('institution')(
      'encode',
      join(site.root, 'notes.jsonl'),
      ...model(),
    );
    expect([exit, stderr]).toEqual([4, expect.stringMatching(/model-revoked.*it leaks names/)]);
    const unnamed = await capturedRun(
      ...[
        'encode',
        join(site.root, 'notes.jsonl'),
        ...model(),
        '--token',
        world.tokens.institution,
      ],
    );
    expect(unnamed).toMatchObject({ exit: 4, stderr: expect.stringContaining('model-revoked') });
    const { failed } = await preflight('institution');
    expect(failed.map(({ name }) => name)).toContain('registry and revocation');
  });
});
