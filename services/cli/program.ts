import { Command } from 'commander';
import { corpusCommand } from './commands/corpus.js';
import { evaluateCommand } from './commands/evaluate.js';

/** The `tacet` command with all of its subcommands. */
export function createProgram(): Command {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .option('--json', 'print results as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu');
  program.addCommand(corpusCommand());
  program.addCommand(evaluateCommand());
  return program;
}
