import { spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Store } from '../pool-store/store.js';
import { rawPublicKey } from '../proto/ed25519-key.js';

const MAIN = fileURLToPath(new URL('../services/cli/main.js', import.meta.url));
const MEMORY = '/dev/shm';
/** As `deploy/tacet.service` has them. */
const NODE_OPTIONS = ['--no-warnings', '--min-semi-space-size=16'];

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
  close(): Promise<void>;
}

/** `environment` holds settings other than the defaults. */
export async function startPoolServer(
  environment: Readonly<Record<string, string>> = {},
): Promise<PoolServer> {
  const data = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tacet-bench-'));
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519');
  const store = await Store.open(data);
  const tokenOf = async (role: 'institution' | 'consumer' | 'monitor') =>
    (await store.tokens.create({ role, name: 'bench' })).token;
  const tokens = {
    institution: await tokenOf('institution'),
    consumer: await tokenOf('consumer'),
  };
  const monitor = await tokenOf('monitor');
  const { keyId } = await store.identities.request('bench', rawPublicKey(publicKey));
  await store.identities.approve(keyId);
  await store.close();
  const options = ['--pool', '--data', data, '--port', '0', '--log-level', 'error'];
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN, '--json', 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { pool: url } = JSON.parse(line) as { pool: string };
  return {
    url,
    tokens,
    key,
    usage: async () => {
      const headers = { Authorization: `Bearer ${monitor}` };
      return usageOf(await (await fetch(`${url}/metrics`, { headers })).text());
    },
    close: async () => {
      child.kill();
      await once(child, 'exit');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function usageOf(metrics: string): Usage {
  const metric = (name: string) =>
    Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    cpuSeconds: metric('process_cpu_seconds_total'),
    residentBytes: metric('process_resident_memory_bytes'),
  };
}
