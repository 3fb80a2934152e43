/** How long the registry takes for its pages where it holds many models. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Store } from '../pool-store/store.js';
import { TacetError } from '../proto/errors.js';
import { startServers } from '../services/cli/servers.js';
import type { Measurement } from './measurement.js';
import { fillRegistry } from './registry-store.js';

const MODELS = Number(process.env.TACET_BENCH_MODELS ?? 10_000);
const TIMES = 9;

const PAGES = [
  ...['/models', '/models?page=200', '/models?page=400', '/models?search=made-19'],
  ...['/models?language=es&page=50', '/models?status=revoked', '/models/made-8/1.4.0'],
  ...['/models/made-8/1.4.0/audits', '/models/made-8/compare/1.0.0/1.4.0'],
  ...['/audits', '/audits?page=400'],
];

export async function* registryPagesBench(): AsyncGenerator<Measurement> {
  const data = mkdtempSync(join(tmpdir(), 'tacet-registry-pages-'));
  const store = await Store.open(data);
  await fillRegistry(store, MODELS);
  const { token } = await store.tokens.create({ role: 'institution', name: 'reader' });
  await store.close();
  const logger = pino({ level: 'silent' });
  const servers = await startServers({
    ...{ data, host: '127.0.0.1', registryPort: 0, poolPort: 0, logger },
  });
  try {
    const cookie = `tacet-registry=${encodeURIComponent(token)}`;
    for (const page of PAGES)
      yield await timed(`${servers.addresses.registry}${page}`, page, cookie);
  } finally {
    await servers.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function timed(url: string, page: string, cookie: string): Promise<Measurement> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < TIMES; i++) {
    const start = performance.now();
    const answer = await fetch(url, { headers: { Cookie: cookie, Accept: 'text/html' } });
    bytes = (await answer.text()).length;
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new TacetError('internal', `${page}: ${answer.status}`);
  }
  const sorted = times.sort((a, b) => a - b);
  const [low, milliseconds, high] = [1, 2, 3].map(
    (quarter) => sorted[Math.floor((quarter * (TIMES - 1)) / 4)] as number,
  ) as [number, number, number];
  const spread = (high - low) / milliseconds;
  return {
    ...{ bench: 'registry-pages', name: page, threads: 1, milliseconds, spread },
    ...{ rate: bytes / 1024, unit: `KiB, of ${MODELS} models` },
  };
}
