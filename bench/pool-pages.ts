import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Store } from '../pool-store/store.js';
import { startServers } from '../services/cli/servers.js';
import { DEFAULT_LIMITS } from '../services/http/limits.js';
import { fillPool } from './filled-pool.js';
import { type Measurement, measure, type Subject } from './measurement.js';

const CONTRIBUTIONS = Number(process.env.TACET_BENCH_CONTRIBUTIONS ?? 100_000);
const INSTITUTIONS = 20;
const SNAPSHOTS = 5;

/** Pages of a large pool through HTTP on loopback, each from request to last byte. */
export async function* poolPagesBench(): AsyncGenerator<Measurement> {
  const data = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  const filled = await fill(data);
  const servers = await startServers({
    ...{ data, host: '127.0.0.1', poolPort: 0, logger: pino({ level: 'silent' }) },
    limits: { ...DEFAULT_LIMITS, requestsPerMinute: 1e6 },
  });
  try {
    const url = servers.addresses.pool ?? '';
    const [admin, institution] = [
      await cookieOf(url, filled.admin),
      await cookieOf(url, filled.institution),
    ];
    const page = (name: string, path: string, cookie = admin): Subject => ({
      name: `${name}, ${CONTRIBUTIONS} contributions`,
      ...{ threads: 1, work: 1, unit: 'page' },
      run: () => timeOfPage(url + path, cookie),
    });
    const { contribution, first, last } = filled;
    const deep = Math.ceil((0.9 * CONTRIBUTIONS) / 50);
    yield* await measure('pool-pages', [
      page('overview of an operator', '/'),
      page('overview of an institution', '/', institution),
      page('contributions', '/contributions'),
      page('contributions, deep', `/contributions?page=${deep}`),
      page('contributions, withdrawn ones', '/contributions?state=withdrawn'),
      page('contributions of an institution', '/contributions', institution),
      page('a contribution', `/contributions/${contribution}`),
      page('withdrawing', `/contributions/${contribution}/withdraw`),
      page('snapshots', '/snapshots'),
      page('the largest snapshot', `/snapshots/${last}`),
      page('what differs between snapshots', `/snapshots/${first}/diff/${last}`),
      page('quotas', '/quotas'),
      page('log', '/log'),
      page('a thousand entries of the log', '/log/entries?after=50'),
    ]);
  } finally {
    await servers.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function fill(data: string) {
  const store = await Store.open(data);
  const tokenOf = async (role: 'admin' | 'institution') =>
    (await store.tokens.create({ role, name: `${role}-0` })).token;
  const tokens = { admin: await tokenOf('admin'), institution: await tokenOf('institution') };
  await fillPool(store, {
    ...{ contributions: CONTRIBUTIONS, institutions: INSTITUTIONS, snapshots: SNAPSHOTS },
  });
  const { rows } = await store.snapshotIndex.page({ offset: 0, limit: SNAPSHOTS });
  const kept = { institution: 'institution-0', state: 'kept' as const };
  const oldest = { offset: CONTRIBUTIONS / INSTITUTIONS / 2, limit: 1 };
  const contribution = (await store.contributionIndex.page(kept, oldest)).rows[0]?.id;
  await store.close();
  return { ...tokens, contribution, first: rows.at(-1)?.id, last: rows[0]?.id };
}

async function cookieOf(url: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams({ token }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Milliseconds. */
async function timeOfPage(url: string, Cookie: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(url, { redirect: 'error', headers: { Cookie } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return performance.now() - start;
}
