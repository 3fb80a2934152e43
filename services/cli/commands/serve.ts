import { once } from 'node:events';
import { Command } from 'commander';
import { readPrivateKey } from '../../../models/bundle/key-files.js';
import { TacetError } from '../../../proto/errors.js';
import { catalogPlaceOf } from '../catalog-options.js';
import { contextOf } from '../context.js';
import { openIdOf } from '../openid-settings.js';
import { resolveServeConfig } from '../serve-config.js';
import { withServeOptions } from '../serve-options.js';
import { planServe } from '../serve-plan.js';
import type { ServeConfig } from '../serve-settings.js';
import { openLog } from '../server-log.js';
import { startServers } from '../servers.js';
import { startTracing } from '../tracing.js';

/** `tacet serve`: a registry, a pool or both, until a signal. */
export function serveCommand(): Command {
  return withServeOptions(new Command('serve'))
    .description('run a registry, a pool, or by default both')
    .action(serve);
}

/** Throws `config-invalid` where types are named and entities need not be replaced. */
function replacedBut({
  replacedOnly,
  keptTypes,
}: Pick<ServeConfig, 'replacedOnly' | 'keptTypes'>): readonly string[] | undefined {
  if (replacedOnly) return (keptTypes ?? '').split(',').flatMap((type) => type.trim() || []);
  if (keptTypes === undefined) return undefined;
  throw new TacetError(
    'config-invalid',
    'keptTypes: the pool takes entities of every type as they are; state replacedOnly as well',
  );
}

async function serve(flags: Record<string, unknown>, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { config } = resolveServeConfig({ flags, environment: process.env });
  const { data, host, logLevel } = config;
  const tracing = await startTracing(process.env, 'tacet');
  const servers = await startServers({
    data,
    blobs: config.blobs,
    cacheBytes: config.cacheBytes,
    logKey: config.logKey === undefined ? undefined : await readPrivateKey(config.logKey),
    host,
    logger: openLog(logLevel),
    limits: config,
    replacedBut: replacedBut(config),
    openId: await openIdOf(config),
    catalog: await catalogPlaceOf(config),
    ...(await planServe(config)),
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
    await tracing.close();
  }
}
