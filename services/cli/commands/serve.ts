import { once } from 'node:events';
import { Command } from 'commander';
import type { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { resolveServeConfig } from '../serve-config.js';
import { withServeOptions } from '../serve-options.js';
import { planServe } from '../serve-plan.js';
import { openLog } from '../server-log.js';
import { startServers } from '../servers.js';
import { startTracing } from '../tracing.js';

/** `tacet serve`: a registry, a pool or both, until a signal. */
export function serveCommand(): Command {
  return withServeOptions(new Command('serve'))
    .description('run a registry, a pool, or by default both')
    .action(serve);
}

async function serve(flags: Record<string, unknown>, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const { config } = resolveServeConfig({ flags, environment: process.env });
  const { data, host, logLevel } = config;
  const lost = new AbortController();
  const ended = AbortSignal.any([signal, lost.signal]);
  const tracing = await startTracing(process.env, 'tacet');
  const options = {
    data,
    blobs: config.blobs,
    cacheBytes: config.cacheBytes,
    host,
    logger: openLog(logLevel),
    limits: config,
    knownModels: config.knownModels,
    onLost: (error: TacetError) => lost.abort(error),
    signal: ended,
    ...(await planServe(config)),
  };
  const servers = await startServers(options).catch(async (error) => {
    await tracing.close();
    // To be stopped is what a server is for, also before it listens.
    if (!signal.aborted || error !== signal.reason) throw error;
  });
  if (!servers) return;
  try {
    const { addresses } = servers;
    result(
      addresses,
      Object.entries(addresses).map(([name, url]) => `${name} ${url}`),
    );
    if (!ended.aborted) await once(ended, 'abort');
    lost.signal.throwIfAborted();
  } finally {
    await servers.close();
    await tracing.close();
  }
}
