import type { Express } from 'express';
import type { Logger } from 'pino';
import { recover } from '../../pool-store/recovery.js';
import { Store } from '../../pool-store/store.js';
import { listen, type RunningServer } from '../http/server.js';
import { recoverUploads } from '../http/upload-recovery.js';
import { createPool } from '../pool/pool.js';
import { createRegistry } from '../registry/registry.js';

export interface ServersOptions {
  /** The directory of the store that the servers share. */
  readonly data: string;
  readonly host: string;
  /** 0 takes any free port; without one the registry is not started. */
  readonly registryPort?: number | undefined;
  readonly poolPort?: number | undefined;
  readonly logger: Logger;
}

export interface Servers {
  /** The addresses that were bound. */
  readonly addresses: { readonly registry?: string; readonly pool?: string };
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Recovers the store, then starts a registry, a pool or both on it. Throws `store-busy`,
 * `address-in-use` or `address-invalid`.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { data, host, registryPort, poolPort, logger } = options;
  const store = new Store(data, { serve: true });
  const running: RunningServer[] = [];
  const close = async () => {
    await Promise.all(running.map((server) => server.close()));
    store.close();
  };
  const start = async (app: Express, port: number) => {
    const server = await listen(app, { host, port });
    running.push(server);
    return server.url;
  };
  try {
    logger.info({ store: await recover(store), uploads: await recoverUploads(store) }, 'recovered');
    const addresses = {
      ...(registryPort !== undefined && {
        registry: await start(createRegistry(store, logger), registryPort),
      }),
      ...(poolPort !== undefined && { pool: await start(createPool(store, logger), poolPort) }),
    };
    return { addresses, store, close };
  } catch (error) {
    await close();
    throw error;
  }
}
