import { Command } from 'commander';
import { serveCommand } from './commands/serve.js';
import { storeCommand } from './commands/store.js';
import { tokenCommand } from './commands/token.js';

/** The `tacet` command with all of its subcommands. */
export function createProgram(): Command {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .option('--json', 'print results as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu');
  program.addCommand(serveCommand());
  program.addCommand(storeCommand());
  program.addCommand(tokenCommand());
  return program;
}
