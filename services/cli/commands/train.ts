import path from 'node:path';
import { Command } from 'commander';
import { useBackend } from '../../../models/tensor/backend.js';
import { hasRun, requireRun } from '../../../models/training/run-directory.js';
import { bundleName, bundleVersion, languageTag } from '../../workflows/bundle-identity.js';
import { withRunLock } from '../../workflows/run-lock.js';
import { readNotes } from '../../workflows/run-material.js';
import { readConfig } from '../../workflows/training-config.js';
import { TRAININGS, type Training } from '../../workflows/training-kinds.js';
import { nextCommands, nextLines } from '../../workflows/training-result.js';
import { isTrained, type TrainingReport, trainRun } from '../../workflows/training-run.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';
import { trainDescribeCommand } from './train-describe.js';
import { trainPooledCommand } from './train-pooled.js';

interface Options {
  readonly embeddings: string;
  readonly scheme: string;
  readonly out: string;
  readonly name: string;
  readonly modelVersion: string;
  readonly language?: string;
  readonly config?: string;
  readonly seeds?: number;
  readonly resume?: boolean;
}

export function trainCommand(): Command {
  const command = new Command('train').description('train a model, of one of the kinds below');
  for (const training of TRAININGS) command.addCommand(kindCommand(training));
  return command.addCommand(trainPooledCommand()).addCommand(trainDescribeCommand());
}

function kindCommand(training: Training): Command {
  return new Command(training.kind)
    .description(training.summary)
    .argument('<corpus>', 'labelled notes: a file or a folder')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .requiredOption('--out <dir>', 'run directory: configuration, metrics, checkpoints, weights')
    .option(
      '--name <name>',
      'name of the published representation or pipeline',
      bundleName,
      training.kind,
    )
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
}

async function run(
  training: Training,
  corpus: string,
  options: Options,
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  const { out, name, modelVersion: version, seeds, resume = false } = options;
  const { kind } = training;
  const backend = await useBackend(command.optsWithGlobals<{ backend?: string }>().backend);
  const usual = await readConfig(options.config, {}, kind);
  const directories =
    seeds === undefined
      ? [out]
      : Array.from({ length: seeds }, (_, seed) => path.join(out, `seed-${seed + 1}`));
  if (resume && !(await Promise.all(directories.map(hasRun))).includes(true)) await requireRun(out);
  const material = await readNotes({ corpus, ...options }, context);
  const shared = { training, material, backend, name, version };
  const train = (directory: string, config = usual) =>
    withRunLock(directory, async () => {
      const task = { ...shared, directory, config, resume: resume && (await hasRun(directory)) };
      return seeds !== undefined && resume && (await isTrained(task))
        ? null
        : trainRun(task, context);
    });
  if (seeds === undefined) {
    const { lines, ...report } = (await train(out)) as TrainingReport;
    const next = nextCommands(report.bundles, {
      out,
      embeddings: options.embeddings,
      notes: corpus,
    });
    context.result({ kind, out, ...report, next }, [...lines, ...nextLines(next)]);
    return;
  }
  const runs: Record<string, Omit<TrainingReport, 'lines'> | null> = {};
  const lines: string[] = [];
  for (const [i, directory] of directories.entries()) {
    const trained = await train(directory, { ...usual, seed: i + 1 });
    const { lines: said, ...report } = trained ?? { lines: ['had come to its end'] };
    lines.push(directory, ...said.map((line) => `  ${line}`));
    runs[directory] = trained && (report as Omit<TrainingReport, 'lines'>);
  }
  const [first] = Object.values(runs).filter((each) => each !== null);
  const next = first
    ? nextCommands(first.bundles, { out, embeddings: options.embeddings, notes: corpus })
    : [];
  context.result({ kind, out, runs, next }, [...lines, ...nextLines(next)]);
}
