import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from '@jest/globals';
import type { Snapshot } from '../../pool-store/snapshots/snapshot.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import type { Servers } from '../../services/cli/servers.js';
import { ServiceClient } from '../../services/client/client.js';
import { trustedProxies } from '../../services/http/client-address.js';
import { DEFAULT_LIMITS } from '../../services/http/limits.js';
import { freePort } from '../services/free-port.js';
import { endAfterTests } from '../services/left-over.js';
import { selfSigned } from '../services/self-signed.js';
import {
  contributionOf,
  createWorld,
  segmentOf,
  serve,
  sha256,
  type World,
} from '../services/world.js';
import { testWithProgram } from './installed.js';
import { DEPLOY } from './yaml.js';

const TLS = selfSigned();
const PROXIES = { trusted: trustedProxies('127.0.0.1'), header: 'x-forwarded-for' } as const;

let worlds: World[];
beforeEach(async () => {
  worlds = [await createWorld(), await createWorld()];
});
afterEach(() => {
  for (const world of worlds) world.remove();
});

testWithProgram(
  'requests go to the replicas that are ready, and on when one of them is gone',
  'haproxy',
  async () => {
    const servers = await Promise.all(worlds.map((world) => serve(world)));
    const { port } = await startBalancer(servers);
    const ask = () => statusOf(port, '/openapi.json');
    expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(200));
    await servers[0]?.close();
    for (let i = 0; i < 20; i++) expect(await ask()).toBe(200);
    await servers[1]?.close();
    expect(await ask()).toBe(503);
  },
  30_000,
);

testWithProgram(
  'a client has one limit whatever address it claims, and no client reads metrics',
  'haproxy',
  async () => {
    const limits = { ...DEFAULT_LIMITS, requestsPerMinute: 30 };
    const options = { limits, proxies: PROXIES };
    const servers = await Promise.all(worlds.slice(0, 1).map((world) => serve(world, options)));
    const { port } = await startBalancer(servers);
    const claims = Array.from({ length: 90 }, (_, i) => ({ 'X-Forwarded-For': `192.0.2.${i}` }));
    const statuses = await Promise.all(
      claims.map((headers) => statusOf(port, '/v1/statistics', headers)),
    );
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    for (const path of ['/metrics', '/metrics/', '/METRICS'])
      expect(await statusOf(port, path)).toBe(403);
  },
  30_000,
);

testWithProgram(
  'the balancer logs who is refused, by address and status, and nothing of other requests',
  'haproxy',
  async () => {
    const [world] = worlds;
    if (!world) throw new Error('no world');
    const { port, log } = await startBalancer([await serve(world, { proxies: PROXIES })]);
    const as = (token: string) => ({ Authorization: `Bearer ${token}` });
    expect(await statusOf(port, '/v1/statistics', as(world.tokens.consumer))).toBe(200);
    expect(await statusOf(port, '/v1/statistics?format=seen', as('guessed'))).toBe(401);
    expect(await statusOf(port, '/v1/tokens', as(world.tokens.consumer))).toBe(403);
    for (let tries = 0; tries < 100 && !/ 403 GET$/m.test(log()); tries++) await delay(100);
    const requests = log()
      .split('\n')
      .filter((line) => line.endsWith(' GET') && !line.includes(' 503 '));
    const from = `127.0.0.1 127.0.0.1:${port} tacet-1`;
    expect(requests).toEqual([`${from} 401 GET`, `${from} 403 GET`]);
    expect(log()).not.toMatch(/statistics|seen|guessed/);
  },
  30_000,
);

testWithProgram(
  'an upload passes over TLS, at the address that the client knows',
  'haproxy',
  async () => {
    const [world] = worlds;
    if (!world) throw new Error('no world');
    const { port } = await startBalancer([await serve(world, { proxies: PROXIES })]);
    const segment = segmentOf(2000, 1);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const common = {
      Authorization: `Bearer ${world.tokens.institution}`,
      'Tus-Resumable': '1.0.0',
    };
    const begun = await answerTo(port, '/v1/uploads', {
      method: 'POST',
      headers: {
        ...common,
        'Upload-Length': segment.length,
        'Upload-Metadata': `digest ${base64(sha256(segment))},kind ${base64('segment')}`,
      },
    });
    expect(begun.statusCode).toBe(201);
    const { origin, pathname } = new URL(
      begun.headers.location ?? '',
      `https://127.0.0.1:${port}/v1/uploads`,
    );
    expect(origin).toBe(`https://127.0.0.1:${port}`);
    const headers = {
      ...common,
      'Upload-Offset': 0,
      'Content-Type': 'application/offset+octet-stream',
    };
    const sent = await answerTo(port, pathname, { method: 'PATCH', headers }, segment);
    expect(sent.headers['upload-offset']).toBe(String(segment.length));
  },
  30_000,
);

testWithProgram(
  'the rest of a snapshot comes also where all before it takes longer than other answers may',
  'haproxy',
  async () => {
    const [world] = worlds;
    if (!world) throw new Error('no world');
    const pool = await serve(world);
    const as = (role: 'institution' | 'consumer') =>
      new ServiceClient({ baseUrl: pool.addresses.pool ?? '', token: world.tokens[role] });
    const segment = segmentOf(50, 1);
    await as('institution').upload(segment, { digest: sha256(segment), kind: 'segment' });
    const envelope = contributionOf([segment], world.keys.institution);
    await as('institution').json('POST', PATHS.contributions, envelope);
    const snapshot = await as('consumer').json<Snapshot>('POST', PATHS.snapshots, {});
    const { blobs } = pool.store;
    const open = blobs.open.bind(blobs);
    blobs.open = async (...which: Parameters<typeof open>) => {
      await delay(1500);
      return open(...which);
    };
    const { port } = await startBalancer([pool], (config) =>
      config.replace('timeout server 120s', 'timeout server 500ms'),
    );
    const path = `${pathTo(PATHS.snapshotSentences, snapshot)}?format=ndjson`;
    const headers = { Authorization: `Bearer ${world.tokens.consumer}` };
    expect(await statusOf(port, path, headers)).toBe(504);
    expect(await statusOf(port, path, { ...headers, Range: 'bytes=10-' })).toBe(206);
  },
  30_000,
);

/** The settings of the repository, with these pools as its replicas, the last of three never there. */
async function startBalancer(
  servers: readonly Servers[],
  change = (config: string) => config,
): Promise<{ port: number; log: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-balancer-'));
  writeFileSync(join(folder, 'tls.pem'), TLS.cert + TLS.key, { mode: 0o600 });
  const [port = 0, registryPort = 0, dead = 0] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
  ]);
  const portOf = (replica: string) =>
    new URL(servers[Number(replica) - 1]?.addresses.pool ?? `http://127.0.0.1:${dead}`).port;
  const config = readFileSync(join(DEPLOY, 'haproxy.cfg'), 'utf8')
    .replaceAll('/etc/haproxy/tls.pem', join(folder, 'tls.pem'))
    .replace('bind :7420', `bind 127.0.0.1:${registryPort}`)
    .replace('bind :7421', `bind 127.0.0.1:${port}`)
    .replace(/tacet-(\d):742\d/g, (_, replica) => `127.0.0.1:${portOf(replica)}`);
  writeFileSync(join(folder, 'haproxy.cfg'), change(config));
  const balancer = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let logged = '';
  balancer.stdout.on('data', (chunk) => {
    logged += chunk;
  });
  endAfterTests(async () => {
    await ended(balancer);
    rmSync(folder, { recursive: true, force: true });
  });
  // A replica that never came counts as one until its checks have failed.
  for (let answered = 0, tries = 0; answered < 10 && tries < 100; tries++) {
    answered = (await statusOf(port, '/readyz').catch(() => 0)) === 200 ? answered + 1 : 0;
    await delay(100);
  }
  return { port, log: () => logged };
}

async function ended(balancer: ChildProcess): Promise<void> {
  if (balancer.exitCode !== null || balancer.signalCode !== null) return;
  balancer.kill();
  await once(balancer, 'exit');
}

async function statusOf(port: number, path: string, headers = {}): Promise<number | undefined> {
  return (await answerTo(port, path, { headers })).statusCode;
}

/** The answer, whose body has been passed over. */
function answerTo(
  port: number,
  path: string,
  options: Pick<RequestOptions, 'method' | 'headers'>,
  body?: Uint8Array,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const target = { ...options, host: '127.0.0.1', port, path, ca: TLS.cert, agent: false };
    request(target, (response) => {
      response.resume().once('end', () => resolve(response));
    })
      .once('error', reject)
      .end(body);
  });
}
