import { Command } from 'commander';
import { contextOf } from '../context.js';
import { type ResolvedConfig, resolveServeConfig } from '../serve-config.js';
import { withServeOptions } from '../serve-options.js';
import { planServe, type ServePlan } from '../serve-plan.js';

/** `tacet config`: what a server would run with. */
export function configCommand(): Command {
  const config = new Command('config').description('configuration of a server');
  withServeOptions(config.command('check'))
    .description(
      'check the settings that serve would take, and say where each comes from: ' +
        'a flag goes before the environment, the environment before the file',
    )
    .action(async (flags: Record<string, unknown>, command: Command) => {
      const resolved = resolveServeConfig({ flags, environment: process.env });
      const served = servedOf(resolved, await planServe(resolved.config));
      const lines = Object.entries(served.origins).map(([name, origin]) => {
        const value = served.config[name as keyof typeof served.config];
        return `${name.padEnd(18)} ${String(value).padEnd(24)} ${origin}`;
      });
      contextOf(command).result(served, lines);
    });
  return config;
}

/** Whether a registry and a pool run, and where: stated, or what follows from other settings. */
function servedOf({ config, origins }: ResolvedConfig, plan: ServePlan): ResolvedConfig {
  const { registryPort, poolPort } = plan;
  const registry = registryPort !== undefined;
  const pool = poolPort !== undefined;
  return {
    config: {
      ...{ ...config, registry, pool },
      ...(registry && { registryPort }),
      ...(pool && { poolPort }),
    },
    origins: {
      ...origins,
      ...(registry !== config.registry && { registry: 'default' }),
      ...(pool !== config.pool && { pool: 'default' }),
      ...(registry && { registryPort: origins.registryPort ?? origins.port }),
      ...(pool && { poolPort: origins.poolPort ?? origins.port }),
    },
  };
}
