import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ERRORS } from '../../proto/errors.js';
import type { Servers } from '../../services/cli/servers.js';
import { freePort } from '../services/free-port.js';
import { endAfterTests } from '../services/left-over.js';
import { createWorld, serve, type World } from '../services/world.js';
import { ROOT } from '../shared-data.js';
import { ALERTS, metricsIn, PANELS, selectedIn } from './expressions.js';
import { testWithProgram } from './installed.js';
import { DEPLOY } from './yaml.js';

const FOLDER = join(DEPLOY, 'prometheus');
/** Of Prometheus itself. */
const OWN = ['up'];

let world: World;
let servers: Servers;
beforeAll(async () => {
  world = await createWorld();
  servers = await serve(world);
});
afterAll(async () => {
  await servers.close();
  world.remove();
});

/** What registry and pool answer to Prometheus. */
function scraped(): Promise<string[]> {
  const headers = { Authorization: `Bearer ${world.tokens.monitor}` };
  const texts = [servers.addresses.registry, servers.addresses.pool].map(async (url) =>
    (await fetch(`${url}/metrics`, { headers })).text(),
  );
  return Promise.all(texts);
}

async function exposed(): Promise<string[]> {
  return (await scraped()).flatMap((text) =>
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

test('every metric that an alert or a panel names is one that registry and pool have', async () => {
  const known = new Set([...OWN, ...(await exposed())]);
  const unknown = [...ALERTS, ...PANELS].flatMap((expression) =>
    metricsIn(expression)
      .filter((name) => !known.has(name))
      .map((name) => `${expression.of}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('every code that they select by is one that a service answers', () => {
  const codes = [...ALERTS, ...PANELS]
    .flatMap(selectedIn)
    .filter(({ label }) => label === 'code')
    .flatMap(({ values }) => values);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => !(code in ERRORS))).toEqual([]);
});

test('an alert on seconds rises at a bound that the buckets have, as do those of its tests', async () => {
  // A route has buckets from its first answer on.
  await scraped();
  const [text = ''] = await scraped();
  const bounds = boundsIn(text);
  const limits = ALERTS.flatMap(({ text: expression }) => [
    ...expression.matchAll(/tacet_request_seconds_bucket.*> (\S+)\s*$/gs),
  ]).map(([, limit = '']) => limit);
  expect(limits.length).toBeGreaterThan(0);
  const tested = boundsIn(readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8'));
  expect([...limits, ...tested].filter((bound) => !bounds.has(bound))).toEqual([]);
});

function boundsIn(text: string): Set<string> {
  const series = text.matchAll(/tacet_request_seconds_bucket\{[^}]*\ble="([^"]+)"/g);
  return new Set(Array.from(series, ([, bound = '']) => bound));
}

test('docs/operating.md says of every alert what to do', () => {
  const text = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  expect(ALERTS.map(({ of }) => of).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

testWithProgram('the alerts rise where they should, says promtool', 'promtool', () => {
  execFileSync('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: FOLDER, stdio: 'pipe' });
  execFileSync('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: FOLDER, stdio: 'pipe' });
});

testWithProgram(
  'a real Prometheus reads registry and pool, and answers every panel and alert',
  'prometheus',
  async () => {
    const url = await startPrometheus();
    const isUp = await valuesOf(url, 'sum(up{job="tacet"})', ([value]) => value === '2');
    expect(isUp).toBe(true);
    for (const { text } of ALERTS) await query(url, text);
    for (const { of, text } of PANELS) {
      // Nothing has been refused or stored here.
      if (/> 0$|tacet_store_bytes/.test(text)) await query(url, text);
      else expect([of, await valuesOf(url, text, ({ length }) => length > 0)]).toEqual([of, true]);
    }
  },
  60_000,
);

async function startPrometheus(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tacet-prometheus-'));
  const token = join(folder, 'token');
  writeFileSync(token, world.tokens.monitor, { mode: 0o600 });
  const targets = Object.values(servers.addresses).map((url) => new URL(url).host);
  const config = readFileSync(join(FOLDER, 'prometheus.yaml'), 'utf8')
    .replaceAll('30s', '1s')
    .replace('alerts.yaml', join(FOLDER, 'alerts.yaml'))
    .replace('/etc/prometheus/tacet-monitor.token', token)
    .replace(/targets: \[.*?\]/, `targets: ${JSON.stringify(targets)}`);
  writeFileSync(join(folder, 'prometheus.yaml'), config);
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  endAfterTests(async () => {
    if (prometheus.exitCode === null) {
      prometheus.kill();
      await once(prometheus, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return `http://${address}`;
}

async function query(url: string, text: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`);
  const { status, error, data } = (await response.json()) as {
    status: string;
    error?: string;
    data?: { result: { value: [number, string] }[] };
  };
  if (status !== 'success') throw new Error(`${text}: ${error}`);
  return (data?.result ?? []).map(({ value }) => value[1]);
}

/** Whether an expression comes to have values that pass within half a minute. */
async function valuesOf(
  url: string,
  text: string,
  pass: (values: string[]) => boolean,
): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    const values = await query(url, text).catch(() => []);
    if (pass(values)) return true;
    await delay(500);
  }
  return false;
}
