import { Command } from 'commander';
import { type Loaders, placeOfName } from './command-group.js';
import { programVersion } from './version.js';

const FIRST_HEADING = 'To begin with:';

/**
 * How to load each command, under the headings of the help: by who uses it first. Most need the tensor
 * backend, which takes longer than many a task.
 */
const GROUPS: Readonly<Record<string, Loaders>> = {
  [FIRST_HEADING]: {
    demo: async () => (await import('./commands/demo.js')).demoCommand(),
  },
  'Provider:': {
    keys: async () => (await import('./commands/keys.js')).keysCommand(),
    train: async (words) => (await import('./commands/train.js')).trainCommand(words),
    inventory: async () => (await import('./commands/inventory.js')).inventoryCommand(),
    bundle: async () => (await import('./commands/bundle.js')).bundleCommand(),
    publish: async () => (await import('./commands/publish.js')).publishCommand(),
  },
  'Institution:': {
    model: async () => (await import('./commands/model.js')).modelCommand(),
    preflight: async () => (await import('./commands/preflight.js')).preflightCommand(),
    encode: async () => (await import('./commands/encode.js')).encodeCommand(),
    contribute: async () => (await import('./commands/contribute.js')).contributeCommand(),
    federation: async (words) =>
      (await import('./commands/federation.js')).federationCommand(words),
    home: async () => (await import('./commands/home.js')).homeCommand(),
    withdraw: async () => (await import('./commands/withdraw.js')).withdrawCommand(),
    deidentify: async () => (await import('./commands/deidentify.js')).deidentifyCommand(),
    pipeline: async () => (await import('./commands/pipeline.js')).pipelineCommand(),
    encoder: async () => (await import('./commands/encoder.js')).encoderCommand(),
  },
  'Pool and registry operator:': {
    serve: async () => (await import('./commands/serve.js')).serveCommand(),
    config: async () => (await import('./commands/config.js')).configCommand(),
    token: async () => (await import('./commands/token.js')).tokenCommand(),
    identity: async () => (await import('./commands/identity.js')).identityCommand(),
    snapshot: async () => (await import('./commands/snapshot.js')).snapshotCommand(),
    job: async () => (await import('./commands/job.js')).jobCommand(),
    worker: async () => (await import('./commands/worker.js')).workerCommand(),
    store: async (words) => (await import('./commands/store.js')).storeCommand(words),
    log: async () => (await import('./commands/log.js')).logCommand(),
  },
  'Auditor:': {
    audit: async (words) => (await import('./commands/audit.js')).auditCommand(words),
  },
  'Researcher:': {
    corpus: async (words) => (await import('./commands/corpus.js')).corpusCommand(words),
    embeddings: async (words) =>
      (await import('./commands/embeddings.js')).embeddingsCommand(words),
    evaluate: async () => (await import('./commands/evaluate.js')).evaluateCommand(),
    experiment: async (words) =>
      (await import('./commands/experiment.js')).experimentCommand(words),
    results: async () => (await import('./commands/results.js')).resultsCommand(),
    bench: async () => (await import('./commands/bench.js')).benchCommand(),
  },
};

const VERSION_FLAGS = ['-V', '--version'];

const AFTER_HELP = `
Every command has --help. With --json results are JSON on standard output; where
a command fails, the last line on standard error is
{"error": {"code", "title", "message", "exit"}}.
Exit statuses: 0 ok, 1 failed, 2 usage, 3 bad input, 4 refused by policy or
signature, 130 interrupted.`;

/** The `tacet` command with the subcommand that `argv` names, or with all where it names none. */
export async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command('tacet')
    .description('Share clinical text as private representations')
    .version(`tacet ${programVersion()}`, VERSION_FLAGS.join(', '), 'print the version')
    .option('--json', 'print results and errors as JSON')
    .option('--backend <name>', 'tensor backend: native or cpu')
    .addHelpCommand(helpCommand())
    .addHelpText('after', AFTER_HELP);
  for (const [heading, load] of loadersFor(argv.slice(2)))
    program.addCommand((await load()).helpGroup(heading));
  return program;
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('show the help of a command')
    .helpOption(false)
    .helpGroup(FIRST_HEADING);
}

function loadersFor(
  words: readonly string[],
): (readonly [heading: string, load: () => Promise<Command>])[] {
  const at = placeOfName(words);
  if (at === words.length && words.some((word) => VERSION_FLAGS.includes(word))) return [];
  const all = Object.entries(GROUPS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([name, load]) => ({ name, heading, load })),
  );
  const chosen = all.filter(({ name }) => name === words[at]);
  const rest = chosen.length > 0 ? words.slice(at + 1) : [];
  return (chosen.length > 0 ? chosen : all).map(({ heading, load }) => [heading, () => load(rest)]);
}
