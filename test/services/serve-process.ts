import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import { catalogFor } from '../pool-store/opened-store.js';
import { endAfterTests } from './left-over.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));

/** The real `tacet serve` in a process of its own. */
export interface ServeProcess {
  readonly addresses: { readonly registry?: string; readonly pool: string };
  /** Ends the process without a chance to tidy up. */
  kill(): Promise<void>;
  /** Asks it to end; returns its exit status. */
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

export interface ServeOptions {
  /** Of the pool; a free one where nothing is said. */
  readonly port?: number | undefined;
  /** Where it is given, even as 0, a registry is served too. */
  readonly registryPort?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Where its catalog is, other than for its directory. */
  readonly catalog?: Pick<CatalogPlace, 'url'> | undefined;
  /** The file of another version of the program. */
  readonly program?: string | undefined;
}

export async function spawnServe(
  data: string,
  { port = 0, registryPort, environment, catalog, program = MAIN }: ServeOptions = {},
): Promise<ServeProcess> {
  const ports =
    registryPort === undefined
      ? ['--pool', '--port', String(port)]
      : ['--pool-port', String(port), '--registry-port', String(registryPort)];
  const args = [
    ...['--json', 'serve', ...ports, '--data', data, '--log-level', 'warn'],
    ...(catalog ? ['--catalog', catalog.url] : await catalogFlags(data)),
  ];
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  });
  child.once(
    'exit',
    endAfterTests(() => end(child, 'SIGKILL')),
  );
  const address = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`tacet serve ended with status ${code} before it listened`);
    }),
  ]);
  return {
    addresses: JSON.parse(address[0]),
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
    signal: (name) => void child.kill(name),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = await exited;
  return code;
}

/** Of commands on a directory whose catalog is elsewhere: how they find it. */
export async function catalogFlags(data: string): Promise<string[]> {
  const place = await catalogFor(data);
  return place ? ['--catalog', place.url] : [];
}

/** A `tacet` command run to its end. */
export async function tacet(
  ...args: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.once(
    'exit',
    endAfterTests(() => end(child, 'SIGKILL')),
  );
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...output };
}
