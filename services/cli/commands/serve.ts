import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { pino } from 'pino';
import { TacetError } from '../../../proto/errors.js';
import type { Tls } from '../../http/server.js';
import { contextOf } from '../context.js';
import { resolveServeConfig } from '../serve-config.js';
import { withServeOptions } from '../serve-options.js';
import type { ServeConfig } from '../serve-settings.js';
import { startServers } from '../servers.js';

const STANDARD_ERROR = 2;

/** `tacet serve`: a registry, a pool or both, until a signal. */
export function serveCommand(): Command {
  return withServeOptions(new Command('serve'))
    .description('run a registry, a pool, or by default both')
    .action(serve);
}

async function serve(flags: Record<string, unknown>, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { config } = resolveServeConfig({ flags, environment: process.env });
  const { data, host, logLevel: level } = config;
  const logger = pino({ level, base: null }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  const servers = await startServers({
    data,
    host,
    logger,
    limits: config,
    tls: await readTls(config),
    ...portsOf(config),
  });
  try {
    const { addresses } = servers;
    result(
      addresses,
      Object.entries(addresses).map(([name, url]) => `${name} ${url}`),
    );
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await servers.close();
  }
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
