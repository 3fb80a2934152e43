import { Command } from 'commander';
import { PATHS, pathTo } from '../../../proto/paths.js';
import type { RegisteredModel } from '../../client/registered-model.js';
import { contextOf } from '../context.js';
import { clientFor } from '../credentials.js';
import { type RegistryOptions, withRegistry } from '../registry-options.js';

const OPERATIONS = { deprecate: PATHS.modelDeprecation, revoke: PATHS.modelRevocation } as const;

/** `tacet model deprecate` and `tacet model revoke`. */
export function statusCommand(verb: 'deprecate' | 'revoke', description: string): Command {
  return withRegistry(
    new Command(verb)
      .description(description)
      .argument('<name>', 'name of the model')
      .argument('<version>', 'version')
      .requiredOption('--reason <text>', 'why, for everyone who asks for the model'),
  ).action(
    async (
      name: string,
      version: string,
      options: RegistryOptions & { reason: string },
      command: Command,
    ) => {
      const { signal, result } = contextOf(command);
      const registry = await clientFor(options.registry, options);
      const path = pathTo(OPERATIONS[verb], { name, version });
      const model = await registry.json<RegisteredModel>(
        'POST',
        path,
        { reason: options.reason },
        { signal },
      );
      result(model, `${name} ${model.version} is ${model.status}`);
    },
  );
}

/** `tacet model alias`: what a name such as `latest` means from now on. */
export function aliasCommand(): Command {
  return withRegistry(
    new Command('alias')
      .description('make an alias mean a version')
      .argument('<name>', 'name of the model')
      .argument('<alias>', 'alias, such as latest')
      .argument('<version>', 'version that it means from now on'),
  ).action(
    async (
      name: string,
      alias: string,
      version: string,
      options: RegistryOptions,
      command: Command,
    ) => {
      const { signal, result } = contextOf(command);
      const registry = await clientFor(options.registry, options);
      const path = pathTo(PATHS.modelAlias, { name, alias });
      await registry.json('PUT', path, { version }, { signal });
      result({ name, alias, version }, `${name} ${alias} is ${version}`);
    },
  );
}
