import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { Store } from '../../../pool-store/store.js';
import type { Role } from '../../../pool-store/tokens.js';
import { TacetError } from '../../../proto/errors.js';
import { ServiceClient } from '../../client/client.js';
import { approveIdentity, requestIdentity } from '../../client/identity.js';

const COMMAND = fileURLToPath(new URL('../../cli/serve-for-parent.js', import.meta.url));

/** A registry and a pool in a process of their own, and a token for everyone who talks to them. */
export class DemoServers {
  private constructor(
    readonly addresses: Readonly<Record<'registry' | 'pool', string>>,
    private readonly child: ChildProcess,
    private readonly tokens: ReadonlyMap<string, string>,
  ) {}

  /** Starts both servers on free loopback ports, with a fresh data directory. */
  static async start(data: string, holders: Readonly<Record<string, Role>>): Promise<DemoServers> {
    const tokens = createTokens(data, { operator: 'admin', ...holders });
    const child = spawn(
      process.execPath,
      [COMMAND, '--json', 'serve', '--data', data, '--port', '0', '--log-level', 'error'],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    const addresses = await firstLine(child);
    return new DemoServers(JSON.parse(addresses), child, tokens);
  }

  registry(holder: string): ServiceClient {
    return this.#client(this.addresses.registry, holder);
  }

  pool(holder: string): ServiceClient {
    return this.#client(this.addresses.pool, holder);
  }

  /** The holder asks that the key may sign in its name; the operator approves. */
  async enrol(holder: string, publicKeyFile: string): Promise<void> {
    const key = await readPublicKey(publicKeyFile);
    const keyId = await requestIdentity(this.registry(holder), holder, key);
    await approveIdentity(this.registry('operator'), keyId);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }

  #client(baseUrl: string, holder: string): ServiceClient {
    const token = this.tokens.get(holder);
    if (token === undefined) throw new TacetError('internal', `no token for ${holder}`);
    return new ServiceClient({ baseUrl, token });
  }
}

function createTokens(data: string, holders: Readonly<Record<string, Role>>): Map<string, string> {
  const store = new Store(data);
  try {
    return new Map(
      Object.entries(holders).map(([name, role]) => [
        name,
        store.tokens.create({ role, name }).token,
      ]),
    );
  } finally {
    store.close();
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new TacetError('internal', 'the servers have no standard output');
  for await (const line of createInterface(child.stdout)) return line;
  throw new TacetError('server-failed', 'the servers ended before they were ready');
}
