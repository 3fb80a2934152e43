import { Command } from 'commander';

/** How to load each command; most need the tensor backend, which takes longer than many a task. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./commands/audit.js')).auditCommand(),
  bench: async () => (await import('./commands/bench.js')).benchCommand(),
  bundle: async () => (await import('./commands/bundle.js')).bundleCommand(),
  config: async () => (await import('./commands/config.js')).configCommand(),
  contribute: async () => (await import('./commands/contribute.js')).contributeCommand(),
  corpus: async () => (await import('./commands/corpus.js')).corpusCommand(),
  deidentify: async () => (await import('./commands/deidentify.js')).deidentifyCommand(),
  demo: async () => (await import('./commands/demo.js')).demoCommand(),
  embeddings: async () => (await import('./commands/embeddings.js')).embeddingsCommand(),
  encode: async () => (await import('./commands/encode.js')).encodeCommand(),
  encoder: async () => (await import('./commands/encoder.js')).encoderCommand(),
  evaluate: async () => (await import('./commands/evaluate.js')).evaluateCommand(),
  experiment: async () => (await import('./commands/experiment.js')).experimentCommand(),
  home: async () => (await import('./commands/home.js')).homeCommand(),
  identity: async () => (await import('./commands/identity.js')).identityCommand(),
  keys: async () => (await import('./commands/keys.js')).keysCommand(),
  log: async () => (await import('./commands/log.js')).logCommand(),
  model: async () => (await import('./commands/model.js')).modelCommand(),
  preflight: async () => (await import('./commands/preflight.js')).preflightCommand(),
  publish: async () => (await import('./commands/publish.js')).publishCommand(),
  results: async () => (await import('./commands/results.js')).resultsCommand(),
  serve: async () => (await import('./commands/serve.js')).serveCommand(),
  snapshot: async () => (await import('./commands/snapshot.js')).snapshotCommand(),
  store: async () => (await import('./commands/store.js')).storeCommand(),
  token: async () => (await import('./commands/token.js')).tokenCommand(),
  train: async () => (await import('./commands/train.js')).trainCommand(),
  withdraw: async () => (await import('./commands/withdraw.js')).withdrawCommand(),
};

/** The `tacet` command with the subcommand that `argv` names, or with all where it names none. */
export async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .option('--json', 'print results as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu');
  const named = argv.find((word) => Object.hasOwn(COMMANDS, word));
  const loaders = named === undefined ? Object.values(COMMANDS) : [COMMANDS[named]];
  for (const load of loaders) program.addCommand(await load());
  return program;
}
