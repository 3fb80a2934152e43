import path from 'node:path';
import { Command } from 'commander';
import { PATHS } from '../../../proto/paths.js';
import { fetchModel } from '../../client/fetch-model.js';
import type { RegisteredModel } from '../../client/registered-model.js';
import { rememberOrigin } from '../../institution/approval/model-origin.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys } from '../credentials.js';
import { type RegistryOptions, withRegistry } from '../registry-options.js';
import { aliasCommand, statusCommand } from './model-changes.js';

interface FetchCommandOptions extends RegistryOptions {
  readonly trust: readonly string[];
}

/** `tacet model`: what a registry holds. */
export function modelCommand(): Command {
  const model = new Command('model').description('find, fetch and manage published models');
  withRegistry(model.command('list'))
    .description('list published models')
    .action((options: RegistryOptions, command: Command) => show('', options, command));
  withRegistry(model.command('search'))
    .description('list the models whose name holds a text')
    .argument('<text>', 'part of a name')
    .action((text: string, options: RegistryOptions, command: Command) =>
      show(`?search=${encodeURIComponent(text)}`, options, command),
    );
  withRegistry(model.command('fetch'))
    .description('fetch a bundle; nothing is put in place before it is verified')
    .argument('<name>', 'name of the model')
    .argument('<version>', 'version or alias, such as latest')
    .argument('<directory>', 'where to put the bundle')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .action(fetch);
  return model
    .addCommand(statusCommand('deprecate', 'advise against a model; who has it may go on'))
    .addCommand(statusCommand('revoke', 'forbid a model for good; encoders refuse it'))
    .addCommand(aliasCommand());
}

async function show(query: string, options: RegistryOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const registry = await clientFor(options.registry, options);
  const path = `${PATHS.models}${query}`;
  const models = await registry.json<RegisteredModel[]>('GET', path, undefined, { signal });
  const lines = models.map(
    ({ name, version, publisher, status, digest }) =>
      `${name} ${version}  ${status}  by ${publisher}  ${digest}`,
  );
  result(
    models,
    lines.length > 0 ? lines : query ? 'no model has such a name' : 'the registry holds no models',
  );
}

async function fetch(
  name: string,
  version: string,
  directory: string,
  options: FetchCommandOptions,
  command: Command,
): Promise<void> {
  const { signal, say, result } = contextOf(command);
  const registry = await clientFor(options.registry, options);
  const trustedKeys = await readTrustedKeys(options.trust);
  const model = await fetchModel(registry, { name, version }, directory, { trustedKeys, signal });
  const tokenFile = options.tokenFile === undefined ? null : path.resolve(options.tokenFile);
  await rememberOrigin(model.digest, options.registry, tokenFile, model);
  if (model.status === 'deprecated') say(`deprecated by its publisher: ${model.reason}`);
  result({ ...model, directory }, [
    `verified  ${model.name} ${model.version}`,
    `digest    ${model.digest}`,
    `bundle    ${directory}`,
  ]);
}
