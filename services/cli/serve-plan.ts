import { readFile } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import type { Tls } from '../http/server.js';
import type { ServeConfig } from './serve-settings.js';

/** What follows from the settings of a server before it starts. */
export interface ServePlan {
  /** Undefined where the registry is not to run. */
  readonly registryPort: number | undefined;
  readonly poolPort: number | undefined;
  readonly tls: Tls | undefined;
}

/** Throws `usage` for a port of a server that is not started, `file-not-found` for a missing PEM file. */
export async function planServe(config: ServeConfig): Promise<ServePlan> {
  return { ...portsOf(config), tls: await readTls(config) };
}

async function readTls({ tlsCertificate, tlsKey }: ServeConfig): Promise<Tls | undefined> {
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all(
    [tlsCertificate, tlsKey].map((file) =>
      readFile(file, 'utf8').catch((cause) => {
        throw new TacetError('file-not-found', `${file}: no such PEM file`, { cause });
      }),
    ),
  );
  return { cert, key };
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
