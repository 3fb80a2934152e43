import { readPublicKey } from '../../../models/bundle/key-files.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import { Store } from '../../../pool-store/store.js';
import { TacetError } from '../../../proto/errors.js';
import { ServiceClient } from '../../client/client.js';
import { approveIdentity, requestIdentity } from '../../client/identity.js';
import { ChildServer } from './child-server.js';

/** A registry and a pool in a process of their own, and a token for everyone who talks to them. */
export class DemoServers {
  private constructor(
    private readonly server: ChildServer,
    /** Of everyone, by name. */
    readonly tokens: ReadonlyMap<string, string>,
  ) {}

  /** Starts both servers on free loopback ports, with a fresh data directory. */
  static async start(data: string, holders: Readonly<Record<string, Role>>): Promise<DemoServers> {
    const tokens = await createTokens(data, { operator: 'admin', ...holders });
    const server = await ChildServer.start([
      'serve',
      '--data',
      data,
      '--port',
      '0',
      '--log-level',
      'error',
    ]);
    return new DemoServers(server, tokens);
  }

  get addresses(): Readonly<Record<'registry' | 'pool', string>> {
    return this.server.addresses as Record<'registry' | 'pool', string>;
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
    const { keyId } = await requestIdentity(this.registry(holder), holder, key);
    await approveIdentity(this.registry('operator'), keyId);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  #client(baseUrl: string, holder: string): ServiceClient {
    const token = this.tokens.get(holder);
    if (token === undefined) throw new TacetError('internal', `no token for ${holder}`);
    return new ServiceClient({ baseUrl, token });
  }
}

async function createTokens(
  data: string,
  holders: Readonly<Record<string, Role>>,
): Promise<Map<string, string>> {
  const store = await Store.open(data);
  try {
    const tokens = new Map<string, string>();
    for (const [name, role] of Object.entries(holders))
      tokens.set(name, (await store.tokens.create({ role, name })).token);
    return tokens;
  } finally {
    await store.close();
  }
}
