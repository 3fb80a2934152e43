import { Command } from 'commander';
import { fetchModel, type RegisteredModel } from '../../registry/fetch-model.js';
import { contextOf } from '../context.js';
import { clientFor, readTrustedKeys, type TokenOptions, withTokenOptions } from '../credentials.js';

interface RegistryOptions extends TokenOptions {
  readonly registry: string;
}

interface FetchCommandOptions extends RegistryOptions {
  readonly trust: readonly string[];
}

/** `tacet model`: what a registry holds. */
export function modelCommand(): Command {
  const model = new Command('model').description('list and fetch published models');
  withRegistry(model.command('list')).description('list published models').action(list);
  withRegistry(model.command('fetch'))
    .description('fetch a bundle; nothing is put in place before it is verified')
    .argument('<name>', 'name of the model')
    .argument('<version>', 'version or alias, such as latest')
    .argument('<directory>', 'where to put the bundle')
    .requiredOption('--trust <file...>', 'public keys of publishers you trust')
    .action(fetch);
  return model;
}

async function list(options: RegistryOptions, command: Command): Promise<void> {
  const { signal, result } = contextOf(command);
  const registry = await clientFor(options.registry, options);
  const models = await registry.json<RegisteredModel[]>('GET', '/v1/models', undefined, { signal });
  const lines = models.map(
    ({ name, version, publisher, status, digest }) =>
      `${name} ${version}  ${status}  by ${publisher}  ${digest}`,
  );
  result(models, lines.length > 0 ? lines : 'the registry holds no models');
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
  if (model.status === 'deprecated') say(`deprecated by its publisher: ${model.reason}`);
  result({ ...model, directory }, [
    `verified  ${model.name} ${model.version}`,
    `digest    ${model.digest}`,
    `bundle    ${directory}`,
  ]);
}

function withRegistry(command: Command): Command {
  return withTokenOptions(command.requiredOption('--registry <url>', 'address of the registry'));
}
