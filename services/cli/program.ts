import { Command } from 'commander';
import { auditCommand } from './commands/audit.js';
import { bundleCommand } from './commands/bundle.js';
import { contributeCommand } from './commands/contribute.js';
import { corpusCommand } from './commands/corpus.js';
import { deidentifyCommand } from './commands/deidentify.js';
import { demoCommand } from './commands/demo.js';
import { embeddingsCommand } from './commands/embeddings.js';
import { encodeCommand } from './commands/encode.js';
import { evaluateCommand } from './commands/evaluate.js';
import { identityCommand } from './commands/identity.js';
import { keysCommand } from './commands/keys.js';
import { modelCommand } from './commands/model.js';
import { publishCommand } from './commands/publish.js';
import { serveCommand } from './commands/serve.js';
import { storeCommand } from './commands/store.js';
import { tokenCommand } from './commands/token.js';
import { trainCommand } from './commands/train.js';
import { withdrawCommand } from './commands/withdraw.js';

const COMMANDS = [
  auditCommand,
  bundleCommand,
  contributeCommand,
  corpusCommand,
  deidentifyCommand,
  demoCommand,
  embeddingsCommand,
  encodeCommand,
  evaluateCommand,
  identityCommand,
  keysCommand,
  modelCommand,
  publishCommand,
  serveCommand,
  storeCommand,
  tokenCommand,
  trainCommand,
  withdrawCommand,
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
