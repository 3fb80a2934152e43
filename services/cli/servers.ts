import type { KeyObject } from 'node:crypto';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { DEFAULT_CACHE_BYTES } from '../../pool-store/blobs/cached-blobs.js';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import { openServedStore } from '../../pool-store/served-store.js';
import { ServingLease } from '../../pool-store/serving-lease.js';
import type { Store } from '../../pool-store/store.js';
import { holdsStore } from '../../pool-store/store-folder.js';
import type { TacetError } from '../../proto/errors.js';
import type { Proxies } from '../http/client-address.js';
import { DEFAULT_LIMITS, type Limits } from '../http/limits.js';
import type { OpenIdProvider } from '../http/pages/openid/openid-provider.js';
import { listen, type RunningServer, requireFree, type Tls } from '../http/server.js';
import { StoreTotals } from '../http/store-totals.js';
import { createPool } from '../pool/pool.js';
import { createRegistry } from '../registry/registry.js';
import { Housekeeping } from './housekeeping.js';

export interface ServersOptions {
  /** The directory of the store that the servers share. */
  readonly data: string;
  /** Where the blobs are, as `openServedStore` takes it. */
  readonly blobs?: string | undefined;
  readonly cacheBytes?: number | undefined;
  /** As `StoreOptions.logKey`. */
  readonly logKey?: KeyObject | undefined;
  readonly host: string;
  /** 0 takes any free port; without one the registry is not started. */
  readonly registryPort?: number | undefined;
  readonly poolPort?: number | undefined;
  readonly logger: Logger;
  /** Defaults where not given. */
  readonly limits?: Limits | undefined;
  /** Without it the servers speak plain HTTP. */
  readonly tls?: Tls | undefined;
  readonly proxies?: Proxies | undefined;
  readonly openId?: OpenIdProvider | undefined;
  /** As `PoolSetting.replacedBut`. */
  readonly replacedBut?: readonly string[] | undefined;
  /** As `PoolSetting.knownModels`. */
  readonly knownModels?: boolean | undefined;
  /** As `StoreOptions.catalog`. */
  readonly catalog?: CatalogPlace | undefined;
  /** As `ServingOptions.onLost`: the servers have to be closed. */
  readonly onLost?: ((error: TacetError) => void) | undefined;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

export interface Servers {
  /** The addresses that were bound. */
  readonly addresses: { readonly registry?: string; readonly pool?: string };
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Recovers the store, or begins one where the addresses are free, then starts a registry, a pool or both on it. Throws `address-in-use`,
 * `address-invalid`, what `openServedStore` and `ServingLease.take` do, and the reason of `signal`.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { data, host, registryPort, poolPort, logger, tls, proxies, openId } = options;
  const { limits = DEFAULT_LIMITS, catalog, logKey, signal, onLost } = options;
  const { replacedBut, knownModels } = options;
  const { blobs: place, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const ports = [registryPort, poolPort].filter((port) => port !== undefined);
  if (!holdsStore(data)) await requireFree(host, ports);
  const store = await openServedStore(data, { place, cacheBytes, catalog, logKey });
  const running: RunningServer[] = [];
  const housekeeping = new Housekeeping(store, limits, logger);
  let serving: ServingLease | undefined;
  const close = async () => {
    await Promise.all(running.map((server) => server.close()));
    await housekeeping.stop();
    await serving?.release();
    await store.close();
    logger.info('stopped');
  };
  const start = async (app: Express, port: number) => {
    const server = await listen(app, { host, port, tls, limits });
    running.push(server);
    return server.url;
  };
  try {
    serving = await ServingLease.take(store, { onLost, signal });
    signal?.throwIfAborted();
    const uploads = await store.openUploads.recover();
    logger.info({ uploads }, 'uploads');
    await housekeeping.start(signal);
    const totals = new StoreTotals(store, () => housekeeping.isLeading);
    const setting = { store, logger, limits, proxies, openId, totals };
    const addresses = {
      ...(registryPort !== undefined && {
        registry: await start(createRegistry(setting), registryPort),
      }),
      ...(poolPort !== undefined && {
        pool: await start(createPool({ ...setting, replacedBut, knownModels }), poolPort),
      }),
    };
    if (registryPort === undefined && (await store.models.list()).length === 0)
      logger.warn(
        'the records of this pool name no model: contributions are compared with no noise, no near replays and no ' +
          'revocation; serve the registry on the same records (docs/operating.md)',
      );
    return { addresses, store, close };
  } catch (error) {
    await close();
    throw error;
  }
}
