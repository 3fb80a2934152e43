import { Command } from 'commander';
import { corpusCommand } from './commands/corpus.js';
import { embeddingsCommand } from './commands/embeddings.js';
import { evaluateCommand } from './commands/evaluate.js';
import { serveCommand } from './commands/serve.js';
import { storeCommand } from './commands/store.js';
import { tokenCommand } from './commands/token.js';

const COMMANDS = [
  corpusCommand,
  embeddingsCommand,
  evaluateCommand,
  serveCommand,
  storeCommand,
  tokenCommand,
];

/** The `tacet` command with all of its subcommands. */
export function createProgram(): Command {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .option('--json', 'print results as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu');
  for (const command of COMMANDS) program.addCommand(command());
  return program;
}
