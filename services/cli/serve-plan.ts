import { TacetError } from '../../proto/errors.js';
import { NO_PROXIES, type Proxies, trustedProxies } from '../http/client-address.js';
import type { Tls } from '../http/server.js';
import type { ServeConfig } from './serve-settings.js';
import { readTls } from './tls-files.js';

/** What follows from the settings of a server before it starts. */
export interface ServePlan {
  /** Undefined where the registry is not to run. */
  readonly registryPort: number | undefined;
  readonly poolPort: number | undefined;
  readonly tls: Tls | undefined;
  readonly proxies: Proxies;
}

/**
 * Throws `usage` for a port of a server that is not started, `file-not-found` for a missing PEM file,
 * `config-invalid` for a proxy that is no address.
 */
export async function planServe(config: ServeConfig): Promise<ServePlan> {
  return { ...portsOf(config), tls: await readTls(config), proxies: proxiesOf(config) };
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
  return {
    registryPort: both || registry ? (registryPort ?? port) : undefined,
    poolPort: both || pool ? (poolPort ?? (both ? next : port)) : undefined,
  };
}
