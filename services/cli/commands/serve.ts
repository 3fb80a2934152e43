import { once } from 'node:events';
import { Command, Option } from 'commander';
import { pino } from 'pino';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { startServers } from '../servers.js';
import { wholeNumber } from '../whole-number.js';

interface ServeOptions {
  readonly registry?: boolean;
  readonly pool?: boolean;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly registryPort?: number;
  readonly poolPort?: number;
  readonly logLevel: string;
}

const DEFAULT_PORT = 7420;
const STANDARD_ERROR = 2;

/** `tacet serve`: a registry, a pool or both, until a signal. */
export function serveCommand(): Command {
  const port = wholeNumber(0, 65_535);
  return new Command('serve')
    .description('run a registry, a pool, or by default both')
    .option('--registry', 'run a registry')
    .option('--pool', 'run a pool')
    .requiredOption('--data <directory>', 'where everything is kept')
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option(
      '--port <number>',
      'port, 0 for any; a pool beside a registry takes the next',
      port,
      DEFAULT_PORT,
    )
    .option('--registry-port <number>', 'port of the registry', port)
    .option('--pool-port <number>', 'port of the pool', port)
    .addOption(
      new Option('--log-level <level>', 'least level of the log on standard error')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .action(serve);
}

async function serve(options: ServeOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { data, host, logLevel: level } = options;
  const logger = pino({ level, base: null }, pino.destination({ fd: STANDARD_ERROR, sync: true }));
  const servers = await startServers({ data, host, logger, ...portsOf(options) });
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

function portsOf({ registry, pool, port, registryPort, poolPort }: ServeOptions) {
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
