import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Store } from '../pool-store/store.js';
import { rawPublicKey } from '../proto/ed25519-key.js';
import { ProcessorShare } from './processor-share.js';
import { benchModel } from './segment-shape.js';
import type { SharedPlace } from './shared-place.js';

const MAIN = fileURLToPath(new URL('../services/cli/main.js', import.meta.url));
const MEMORY = '/dev/shm';
/** As `deploy/tacet.service` has them. */
const NODE_OPTIONS = ['--no-warnings', '--min-semi-space-size=16', '--initial-old-space-size=256'];
const ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: '134217728' };
/** `TACET_BENCH_PROCESSORS=0.2` gives each server a fifth of a processor. */
const PROCESSORS = process.env.TACET_BENCH_PROCESSORS;

/** What the process of a server has used since it started. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** What clients of a pool have. */
export interface PoolAccess {
  readonly url: string;
  readonly tokens: { readonly institution: string; readonly consumer: string };
  /** Signs for the institution named `bench`. */
  readonly key: KeyObject;
}

/** A real pool in a process of its own, on a directory in memory where the system has one. */
export interface PoolServer extends PoolAccess {
  usage(): Promise<Usage>;
  /** The most memory that it held since this was asked before; not a number where the system does not say. */
  mostResidentBytes(): number;
  /** Ends it at once and starts it again where it was. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface PoolOptions {
  readonly place?: SharedPlace;
  readonly judging?: boolean;
}

/** `environment` holds settings other than the defaults. */
export async function startPoolServer(
  environment: Readonly<Record<string, string>> = {},
  options: PoolOptions = {},
): Promise<PoolServer> {
  const [server] = await startPoolServers(1, environment, options);
  return server as PoolServer;
}

/** So many servers of one pool, which knows `benchModel` where it is `judging`; several need a place that they share. */
export async function startPoolServers(
  count: number,
  environment: Readonly<Record<string, string>>,
  { place, judging = false }: PoolOptions = {},
): Promise<PoolServer[]> {
  const directories = Array.from({ length: count }, () =>
    mkdtempSync(join(poolParent(), 'tacet-bench-')),
  );
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519');
  const store = await Store.open(directories[0] as string, { catalog: place?.catalog });
  const tokenOf = async (role: 'institution' | 'consumer' | 'monitor') =>
    (await store.tokens.create({ role, name: 'bench' })).token;
  const tokens = {
    institution: await tokenOf('institution'),
    consumer: await tokenOf('consumer'),
  };
  const monitor = await tokenOf('monitor');
  const { keyId } = await store.identities.request('bench', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  if (judging) await store.models.publish(benchModel());
  await store.close();
  const logKey = join(directories[0] as string, 'log.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(logKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const shared = place && { TACET_SERVE_BLOBS: place.blobs, TACET_SERVE_LOG_KEY: logKey };
  return Promise.all(
    directories.map(async (data) => {
      const options = ['--pool', '--data', data, '--log-level', 'error'];
      if (place) options.push('--catalog', place.catalog.url);
      const share = shareOf(data);
      const begin = (port: number) =>
        begun([...options, '--port', String(port)], { ...environment, ...shared }, share);
      let { child, url } = await begin(0);
      return {
        ...{ url, tokens, key },
        usage: async () => {
          const headers = { Authorization: `Bearer ${monitor}` };
          return usageOf(await (await fetch(`${url}/metrics`, { headers })).text());
        },
        mostResidentBytes: () => peakOf(child.pid as number),
        restart: async () => {
          await ended(child, 'SIGKILL');
          ({ child, url } = await begin(Number(new URL(url).port)));
        },
        close: async () => {
          await ended(child, 'SIGTERM');
          share?.close();
          rmSync(data, { recursive: true, force: true });
        },
      };
    }),
  );
}

function shareOf(data: string): ProcessorShare | undefined {
  return PROCESSORS === undefined
    ? undefined
    : new ProcessorShare(basename(data), Number(PROCESSORS));
}

/** Where the directories of pools are made: in memory, where the system has a disk there. */
export function poolParent(): string {
  return process.env.TACET_BENCH_DIRECTORY ?? (existsSync(MEMORY) ? MEMORY : tmpdir());
}

async function begun(
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
  share?: ProcessorShare,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN, '--json', 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...ENVIRONMENT, ...environment },
  });
  share?.hold(child.pid as number);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, url: (JSON.parse(line) as { pool: string }).pool };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

function usageOf(metrics: string): Usage {
  const metric = (name: string) =>
    Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    cpuSeconds: metric('process_cpu_seconds_total'),
    residentBytes: metric('process_resident_memory_bytes'),
  };
}

/** Of Linux's `/proc`, whose mark of the most is set to the present then. */
function peakOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}
