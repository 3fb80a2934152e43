import { Command } from 'commander';
import { federationCreateCommand } from './federation-create.js';
import { federationJoinCommand } from './federation-join.js';
import { federationPipelineCommand } from './federation-pipeline.js';
import { federationServeCommand } from './federation-serve.js';

/** `tacet federation`: hospitals that train one tagger together and share weights, not representations. */
export function federationCommand(): Command {
  return new Command('federation')
    .description('train one tagger together, each at home, through a coordinator')
    .addCommand(federationCreateCommand())
    .addCommand(federationServeCommand())
    .addCommand(federationJoinCommand())
    .addCommand(federationPipelineCommand());
}
