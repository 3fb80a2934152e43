import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const COMMANDS = {
  create: async () => (await import('./federation-create.js')).federationCreateCommand(),
  serve: async () => (await import('./federation-serve.js')).federationServeCommand(),
  join: async () => (await import('./federation-join.js')).federationJoinCommand(),
  pipeline: async () => (await import('./federation-pipeline.js')).federationPipelineCommand(),
};

/** `tacet federation`: hospitals that train one tagger together and share weights, not representations. */
export function federationCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('federation').description(
    'train one tagger together, each at home, through a coordinator',
  );
  return withNamed(group, COMMANDS, words);
}
