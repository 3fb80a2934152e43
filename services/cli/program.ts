import { Command } from 'commander';
import { embeddingsCommand } from './commands/embeddings.js';

/** The `tacet` command with all of its subcommands. */
export function createProgram(): Command {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .option('--json', 'print results as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu')
    .addCommand(embeddingsCommand());
  return program;
}
