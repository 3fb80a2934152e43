import { Command } from 'commander';
import { TacetError } from '../../../proto/errors.js';
import {
  isGeneral,
  type RunReport,
  readPlan,
  runExperiment,
} from '../../workflows/train/experiment.js';
import { type MaterialOptions, readMaterial } from '../../workflows/train/run-material.js';
import {
  readUnlabelled,
  requireApart,
  requireGeneralObjective,
} from '../../workflows/train/unlabelled-text.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { withRunMaterialOptions } from '../material-options.js';
import {
  chosenMeasurements,
  type MeasuringOptions,
  withMeasuringOptions,
} from './experiment-measure.js';

interface Options extends MaterialOptions, MeasuringOptions {
  readonly unlabelled?: readonly string[];
  readonly out: string;
  readonly measure: boolean;
}

/** `tacet experiment run`: all runs of a plan. */
export function experimentRunCommand(): Command {
  const command = new Command('run')
    .description('train and measure every run of a plan; again, it goes on where it stopped')
    .argument(
      '<plan>',
      'JSON: {"runs": [{"name", "kind", "config", "seeds"}], "grid": [...], "random": [...]}',
    )
    .requiredOption('--out <dir>', 'a directory for each run: NAME/seed-K')
    .option(
      '--unlabelled <path...>',
      'public text without labels, for runs with a general objective',
    )
    .option('--no-measure', 'train alone');
  return withMeasuringOptions(withRunMaterialOptions(command)).action(run);
}

async function run(plan: string, options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const backend = await useBackendOf(command);
  const runs = await readPlan(plan);
  const general = runs.filter(isGeneral).map(({ configuration }) => configuration);
  requireGeneralObjective(general, options.unlabelled);
  const unlabelled = await readUnlabelled(options.unlabelled, context.signal);
  const material = await readMaterial(options, context);
  requireApart(unlabelled, material);
  const { minutes, trials, out: directory } = options;
  const measuring = options.measure ? { only: chosenMeasurements(options), minutes, trials } : null;
  const experiment = { directory, material, unlabelled, backend, measuring };
  const reports = await runExperiment(runs, experiment, context);
  const lines = reports.map((each) => `${each.directory}  ${each.training}`);
  context.result(reports, [...lines, `tacet results ${directory} shows what they came to`]);
  requireNoFailure(reports);
}

function requireNoFailure(reports: readonly RunReport[]): void {
  const failed = reports.filter(({ training }) => training === 'failed');
  if (failed.length === 0) return;
  const names = failed.map(({ directory }) => directory).join(', ');
  throw new TacetError(
    'experiment-failed',
    `${failed.length} of ${reports.length} runs failed: ${names}; the others went on, and so do these when the command is repeated`,
  );
}
