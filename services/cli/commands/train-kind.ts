import { Command } from 'commander';
import { type CorpusRun, trainOnCorpus } from '../../workflows/train/corpus-training.js';
import { type Training, trainingOf } from '../../workflows/train/training-kinds.js';
import { useBackendOf } from '../backend-option.js';
import { bundleName, bundleVersion, languageTag } from '../bundle-options.js';
import { contextOf } from '../context.js';
import { nextCommands, nextLines, trainingLines } from '../training-lines.js';
import { wholeNumber } from '../whole-number.js';

/** Kinds that make a pipeline without a representation. */
const ON_TEXT: ReadonlySet<Training['kind']> = new Set(['raw', 'pseudonymized', 'augmented']);

interface Options {
  readonly embeddings: string;
  readonly scheme: string;
  readonly out: string;
  readonly name: string;
  readonly modelVersion: string;
  readonly language?: string;
  readonly config?: string;
  readonly seeds?: number;
  readonly unlabelled?: readonly string[];
  readonly resume?: boolean;
}

/** `tacet train KIND`, on labelled notes. */
export function trainKindCommand(kind: Training['kind']): Command {
  const training = trainingOf(kind);
  const command = new Command(kind)
    .description(training.summary)
    .argument('<corpus>', corpusOf(training))
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .requiredOption('--out <dir>', 'run directory: configuration, metrics, checkpoints, weights')
    .option('--name <name>', 'name of the published representation or pipeline', bundleName, kind)
    .option('--model-version <version>', 'its version', bundleVersion, '1.0.0')
    .option(
      '--language <tag>',
      'language of the notes, such as es, for the model card',
      languageTag,
    )
    .option('--config <file>', 'configuration (JSON), or the name of one: see tacet train describe')
    .option(
      '--seeds <k>',
      'train with seeds 1 to k, into seed-1 to seed-k below --out',
      wholeNumber(1),
    )
    .option('--resume', 'continue in --out; with --seeds, runs that have ended are left alone')
    .action((corpus: string, options: Options, command: Command) =>
      run(training, corpus, options, command),
    );
  if (!training.isGeneral) return command;
  return command.option(
    '--unlabelled <path...>',
    'public text without labels, for the general objective of the configuration: files or folders',
  );
}

/** What a representation learns from is public: its entities stand in the inventory of its bundle. */
function corpusOf({ kind }: Training): string {
  return ON_TEXT.has(kind)
    ? 'labelled notes: a file or a folder'
    : 'public labelled notes, whose entities the inventory holds in clear: a file or a folder';
}

async function run(
  training: Training,
  corpus: string,
  options: Options,
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  const { kind } = training;
  const { out, seeds, embeddings, modelVersion: version } = options;
  const backend = await useBackendOf(command);
  const request = { ...options, training, corpus, version, backend };
  const runs = await trainOnCorpus(request, context);
  const first = runs.find(({ report }) => report)?.report;
  const next = first ? nextCommands(first.bundles, { out, embeddings, notes: corpus }) : [];
  const value =
    seeds === undefined
      ? { kind, out, ...first, next }
      : {
          kind,
          out,
          runs: Object.fromEntries(runs.map((run) => [run.directory, run.report])),
          next,
        };
  const lines = seeds === undefined && first ? trainingLines(first) : runs.flatMap(runLines);
  context.result(value, [...lines, ...nextLines(next)]);
}

/** One of several runs. */
function runLines({ directory, report }: CorpusRun): string[] {
  const said = report ? trainingLines(report) : ['had come to its end'];
  return [directory, ...said.map((line) => `  ${line}`)];
}
