import { Command } from 'commander';
import { contextOf } from '../context.js';
import { resolveServeConfig } from '../serve-config.js';
import { withServeOptions } from '../serve-options.js';
import { planServe } from '../serve-plan.js';

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
      await planServe(resolved.config);
      const lines = Object.entries(resolved.origins).map(([name, origin]) => {
        const value = resolved.config[name as keyof typeof resolved.config];
        return `${name.padEnd(18)} ${String(value).padEnd(24)} ${origin}`;
      });
      contextOf(command).result(resolved, lines);
    });
  return config;
}
