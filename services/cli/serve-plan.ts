import type { KeyObject } from 'node:crypto';
import { readPrivateKey } from '../../models/bundle/key-files.js';
import { blobsAt, placeOf } from '../../pool-store/blobs/blob-place.js';
import type { CatalogPlace } from '../../pool-store/catalog/open-catalog.js';
import { requireStoreOrNothing } from '../../pool-store/store-folder.js';
import { TacetError } from '../../proto/errors.js';
import { NO_PROXIES, type Proxies, trustedProxies } from '../http/client-address.js';
import type { OpenIdProvider } from '../http/pages/openid/openid-provider.js';
import type { Tls } from '../http/server.js';
import { catalogPlaceOf } from './catalog-options.js';
import { openIdOf } from './openid-settings.js';
import type { ServeConfig } from './serve-settings.js';
import { readTls } from './tls-files.js';

const MAX_PORT = 65_535;

/** What follows from the settings of a server before it starts; nothing is opened or changed for it. */
export interface ServePlan {
  /** Undefined where the registry is not to run. */
  readonly registryPort: number | undefined;
  readonly poolPort: number | undefined;
  readonly tls: Tls | undefined;
  readonly proxies: Proxies;
  /** As `PoolSetting`. */
  readonly replacedBut: readonly string[] | undefined;
  readonly openId: OpenIdProvider | undefined;
  /** Undefined where it lies in the data directory. */
  readonly catalog: CatalogPlace | undefined;
  /** As `StoreOptions.logKey`. */
  readonly logKey: KeyObject | undefined;
}

/**
 * Throws `usage` for a port of a server that is not started, where there is none for the pool and where it is the registry's, `config-invalid`
 * for a proxy that is no address, for a place of blobs that is none, and where types may be kept although all entities may be; and as `readTls`,
 * `openIdOf`, `catalogPlaceOf`, `readPrivateKey` and `requireStoreOrNothing`.
 */
export async function planServe(config: ServeConfig): Promise<ServePlan> {
  const { data, blobs, logKey } = config;
  const replacedBut = replacedButOf(config);
  const ports = portsOf(config);
  requireStoreOrNothing(data);
  blobsAt(blobs ?? placeOf(data), data);
  return {
    ...ports,
    tls: await readTls(config),
    proxies: proxiesOf(config),
    replacedBut,
    openId: await openIdOf(config),
    catalog: await catalogPlaceOf(config),
    logKey: logKey === undefined ? undefined : await readPrivateKey(logKey),
  };
}

function replacedButOf({ replacedOnly, keptTypes }: ServeConfig): readonly string[] | undefined {
  if (replacedOnly) return (keptTypes ?? '').split(',').flatMap((type) => type.trim() || []);
  if (keptTypes === undefined) return undefined;
  throw new TacetError(
    'config-invalid',
    'keptTypes: the pool takes entities of every type as they are; state replacedOnly as well',
  );
}

function proxiesOf({ trustedProxies: list, proxyHeader: header }: ServeConfig): Proxies {
  return list === undefined ? NO_PROXIES : { trusted: trustedProxies(list), header };
}

function portsOf({ registry, pool, port, registryPort, poolPort }: ServeConfig) {
  const both = registry === pool;
  const next = port === 0 ? 0 : port + 1;
  if (
    (registryPort !== undefined && pool && !registry) ||
    (poolPort !== undefined && registry && !pool)
  ) {
    throw new TacetError('usage', 'a port was given for a server that is not started');
  }
  if (both && poolPort === undefined && next > MAX_PORT)
    throw new TacetError(
      'usage',
      `port ${port}: the pool takes the next one, and ${MAX_PORT} is the last; name a lower port, or a pool port`,
    );
  const ports = {
    registryPort: both || registry ? (registryPort ?? port) : undefined,
    poolPort: both || pool ? (poolPort ?? (both ? next : port)) : undefined,
  };
  if (both && ports.registryPort === ports.poolPort && ports.poolPort !== 0)
    throw new TacetError(
      'usage',
      `port ${ports.poolPort}: the registry and the pool cannot have the same one; name another registry port or pool port`,
    );
  return ports;
}
