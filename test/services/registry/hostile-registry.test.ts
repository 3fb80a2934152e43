import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { writeAudit } from '../../../models/attacks/report/audit-file.js';
import { createBundle } from '../../../models/bundle/bundle.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import type { Snapshot } from '../../../pool-store/snapshots/snapshot.js';
import { keyIdOf } from '../../../proto/dsse.js';
import type { Servers } from '../../../services/cli/servers.js';
import { ServiceClient } from '../../../services/client/client.js';
import { fetchModel } from '../../../services/client/fetch-model.js';
import { fetchSnapshot } from '../../../services/client/fetched-snapshot.js';
import { requestIdentity } from '../../../services/client/identity.js';
import { fetchLog } from '../../../services/client/log-copy.js';
import { publish } from '../../../services/client/publish.js';
import { fetchAudits, publishAudit } from '../../../services/client/published-audits.js';
import { SnapshotSource } from '../../../services/client/snapshot-source.js';
import { checkModelStatus } from '../../../services/institution/approval/model-status.js';
import { sampleAudit } from '../../models/attacks/sample-audit.js';
import { manifestFields, tinyWeights } from '../../models/bundle/manifest-fields.js';
import { type HostileServer, startHostileServer } from '../hostile-server.js';
import { contributionOf, createWorld, segmentOf, serve, sha256, type World } from '../world.js';

let world: World;
let servers: Servers;
let root: string;
let hostile: HostileServer | undefined;
const digests: Record<string, string> = {};
const snapshots: Snapshot[] = [];

beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
  root = mkdtempSync(join(tmpdir(), 'tacet-hostile-'));
  for (const [name, version] of [
    ['tiny', '1.0.0'],
    ['tiny', '1.1.0'],
    ['other', '1.1.0'],
  ] as const) {
    const directory = join(root, `${name}-${version}`);
    const fields = { ...manifestFields(), name, version };
    digests[`${name} ${version}`] = await createBundle(
      directory,
      { fields, weights: tinyWeights() },
      world.keys.provider,
    );
    await publish(directory, genuine('registry', 'provider'));
    const payload = writeAudit(sampleAudit({ model: digests[`${name} ${version}`] as string }));
    const auditor = genuine('registry', 'auditor');
    await publishAudit(auditor, { name, version }, payload, world.keys.auditor);
  }
  for (const seed of [1, 2]) {
    const segment = segmentOf(5 * seed, seed);
    const pool = genuine('pool', 'institution');
    await pool.upload(segment, { digest: sha256(segment), kind: 'segment' });
    await pool.json('POST', '/v1/contributions', contributionOf([segment], world.keys.institution));
    snapshots.push(await genuine('pool', 'consumer').json<Snapshot>('POST', '/v1/snapshots', {}));
  }
});
afterEach(() => hostile?.close());
afterAll(async () => {
  await servers.close();
  world.remove();
  rmSync(root, { recursive: true, force: true });
});

type Role = keyof World['tokens'];
const genuine = (service: 'registry' | 'pool', role: Role) =>
  new ServiceClient({ baseUrl: servers.addresses[service] ?? '', token: world.tokens[role] });
const coded = (code: string) => expect.objectContaining({ code });

async function lying(
  service: 'registry' | 'pool',
  role: Role,
  swap: (path: string) => string,
  change?: (path: string, answer: Buffer) => Uint8Array | string,
): Promise<ServiceClient> {
  hostile = await startHostileServer(servers.addresses[service] ?? '', swap, change);
  return new ServiceClient({ baseUrl: hostile.url, token: world.tokens[role] });
}

describe('a hostile registry', () => {
  const trustedKeys = () => [createPublicKey(world.keys.provider)];
  const wanted = { name: 'tiny', version: '1.1.0' };

  test.each([
    ['an older version of the model', '/v1/models/tiny/1.0.0'],
    ['another model of the publisher', '/v1/models/other/1.1.0'],
  ])('that answers with %s, which is genuine, is refused', async (_, instead) => {
    const registry = await lying('registry', 'institution', (path) =>
      path === '/v1/models/tiny/1.1.0' ? instead : path,
    );
    const out = join(root, 'fetched');
    const fetching = fetchModel(registry, wanted, out, { trustedKeys: trustedKeys() });
    await expect(fetching).rejects.toEqual(coded('bundle-digest'));
    expect(existsSync(out)).toBe(false);
    const digest = digests['tiny 1.1.0'] as string;
    await expect(checkModelStatus(registry, { ...wanted, digest })).rejects.toEqual(
      coded('bundle-digest'),
    );
  });

  test('that gives the files of another genuine bundle under the right name is refused', async () => {
    const named = (path: string, answer: Buffer) =>
      path === '/v1/models/tiny/1.1.0'
        ? JSON.stringify({ ...JSON.parse(answer.toString()), name: 'tiny', version: '1.1.0' })
        : answer;
    for (const instead of ['/v1/models/tiny/1.0.0', '/v1/models/other/1.1.0']) {
      const registry = await lying(
        'registry',
        'institution',
        (path) => (path === '/v1/models/tiny/1.1.0' ? instead : path),
        named,
      );
      const out = join(root, 'renamed');
      const fetching = fetchModel(registry, wanted, out, { trustedKeys: trustedKeys() });
      await expect(fetching).rejects.toEqual(coded('bundle-digest'));
      expect(existsSync(out)).toBe(false);
      await hostile?.close();
    }
  });

  test.each([
    ['other bytes', { 'MODEL_CARD.md': 'a'.repeat(64) }, 'bundle-digest'],
    ['a file more', { 'more.bin': 'a'.repeat(64) }, 'bundle-file-extra'],
  ])('that names %s than were signed is asked for the signature alone', async (_, more, code) => {
    const asked: string[] = [];
    let signature = '';
    const registry = await lying(
      'registry',
      'institution',
      (path) => {
        asked.push(path);
        return path;
      },
      (path, answer) => {
        if (path !== '/v1/models/tiny/1.1.0') return answer;
        const model = JSON.parse(answer.toString());
        signature = model.files['signature.json'];
        return JSON.stringify({ ...model, files: { ...model.files, ...more } });
      },
    );
    const out = join(root, 'unsigned');
    const fetching = fetchModel(registry, wanted, out, { trustedKeys: trustedKeys() });
    await expect(fetching).rejects.toEqual(coded(code));
    expect(existsSync(out)).toBe(false);
    expect(asked.filter((path) => path.includes('/blobs/'))).toEqual([`/v1/blobs/${signature}`]);
  });

  test('that says of an alias what it likes gives the version that it says, and no other', async () => {
    const registry = await lying('registry', 'institution', (path) => path);
    const out = join(root, 'latest');
    const asked = { name: 'tiny', version: 'latest' };
    const found = await fetchModel(registry, asked, out, { trustedKeys: trustedKeys() });
    const { manifest } = await verifyBundle(out, { trustedKeys: trustedKeys() });
    expect([found.version, manifest.version]).toEqual(['1.1.0', '1.1.0']);
  });

  test('that shows the audits of another bundle is found out', async () => {
    const registry = await lying('registry', 'institution', (path) =>
      path.replace('tiny/1.1.0/audits', 'other/1.1.0/audits'),
    );
    const auditors = [createPublicKey(world.keys.auditor)];
    await expect(fetchAudits(registry, wanted, auditors)).rejects.toEqual(coded('audit-invalid'));
  });

  test('that answers for another key than was asked for is found out', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const other = keyIdOf(generateKeyPairSync('ed25519').publicKey);
    const registry = await lying(
      'registry',
      'institution',
      (path) => path,
      () => JSON.stringify({ keyId: other }),
    );
    const asking = requestIdentity(registry, 'institution', publicKey);
    await expect(asking).rejects.toThrow(keyIdOf(publicKey));
  });
});

describe('a hostile pool', () => {
  const other = () => (path: string) =>
    path.replace(snapshots[0]?.id ?? '', snapshots[1]?.id ?? '');

  test('that answers with another snapshot, or another one’s sentences, is found out', async () => {
    const [first] = snapshots as [Snapshot];
    const pool = await lying('pool', 'consumer', other());
    await expect(fetchSnapshot(pool, first.id, {})).rejects.toEqual(coded('digest-mismatch'));
    await hostile?.close();
    const relabelled = await lying('pool', 'consumer', other(), (path, answer) =>
      path.includes('/sentences')
        ? answer
        : JSON.stringify({ ...JSON.parse(answer.toString()), id: first.id }),
    );
    await expect(fetchSnapshot(relabelled, first.id, {})).rejects.toEqual(coded('digest-mismatch'));
    await hostile?.close();
    const swapped = await lying('pool', 'consumer', (path) =>
      path.includes('/sentences') ? other()(path) : path,
    );
    const source = await SnapshotSource.open(swapped, first.id, 1, {});
    await expect(source.read(0).next()).rejects.toEqual(coded('digest-mismatch'));
  });

  test('whose log goes on without an end is left', async () => {
    const pool = await lying(
      'pool',
      'auditor',
      (path) => path.replace(/after=\d+/, 'after=0'),
      (path, answer) => {
        if (!path.startsWith('/v1/log?')) return answer;
        return JSON.stringify(JSON.parse(answer.toString()).slice(0, 2));
      },
    );
    await expect(fetchLog(pool, undefined, {})).rejects.toEqual(coded('log-broken'));
  });
});
