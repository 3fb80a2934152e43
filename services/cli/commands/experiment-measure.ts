import { Command, InvalidArgumentError } from 'commander';
import { percent } from '../../../platform/percent-text.js';
import { TacetError } from '../../../proto/errors.js';
import { measure } from '../../../study/measures/measure.js';
import type { MeasuredScore } from '../../../study/runs/deidentifier-scores.js';
import { openFinishedRun } from '../../../study/runs/finished-run.js';
import {
  MEASUREMENTS,
  type Measurement,
  type Measurements,
} from '../../../study/runs/measurements.js';
import { withRunLock } from '../../workflows/train/run-lock.js';
import { type MaterialOptions, readMaterial } from '../../workflows/train/run-material.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { withRunMaterialOptions } from '../material-options.js';
import { numberOver } from '../number-over.js';
import { wholeNumber } from '../whole-number.js';

/** How runs are measured, wherever that is done. */
export interface MeasuringOptions {
  readonly only?: readonly Measurement[];
  readonly skip?: readonly Measurement[];
  readonly minutes?: number;
  readonly trials?: number;
}

interface Options extends MaterialOptions, MeasuringOptions {
  readonly again?: boolean;
}

export function withMeasuringOptions(command: Command): Command {
  return command
    .option('--only <list>', `measure these alone, of ${MEASUREMENTS.join(',')}`, parseMeasurements)
    .option('--skip <list>', 'measure all but these', parseMeasurements)
    .option(
      '--minutes <n>',
      'at most so many minutes for the adversary to learn on, and for the likelihood attacks',
      numberOver(0),
    )
    .option('--trials <n>', 'sentences of the likelihood attacks', wholeNumber(1), 400);
}

/** What is left of all measurements once `--only` and `--skip` have been heard. */
export function chosenMeasurements({ only, skip = [] }: MeasuringOptions): Measurement[] {
  return MEASUREMENTS.filter((each) => (only?.includes(each) ?? true) && !skip.includes(each));
}

/** `tacet experiment measure`: what finished runs are worth, on notes that they never saw. */
export function experimentMeasureCommand(): Command {
  const command = new Command('measure')
    .description('measure finished runs on held-out notes, into their measurements.json')
    .argument('<run...>', 'run directories of tacet train')
    .option('--again', 'measure what was measured before');
  return withMeasuringOptions(withRunMaterialOptions(command)).action(run);
}

async function run(directories: string[], options: Options, command: Command): Promise<void> {
  const context = contextOf(command);
  const { signal, progress, say, result } = context;
  await useBackendOf(command);
  const material = await readMaterial(options, context);
  const { again, minutes, trials } = options;
  const only = chosenMeasurements(options);
  const measured: Record<string, Measurements> = {};
  const failed: string[] = [];
  for (const directory of directories) {
    const run = await openFinishedRun(directory);
    const work = () =>
      measure(run, material, { only, again, minutes, trials, say, signal, progress });
    try {
      measured[directory] = await withRunLock(directory, work);
    } catch (error) {
      // One run's fault; an interruption is none, and with one run there are no others to go on with.
      if (signal.aborted || directories.length === 1 || !(error instanceof TacetError)) throw error;
      failed.push(directory);
      say(`${directory}: ${error.code}: ${error.message}`);
    }
  }
  const lines = Object.entries(measured).map(([directory, found]) => lineOf(directory, found));
  result(measured, lines);
  if (failed.length > 0)
    throw new TacetError(
      'experiment-failed',
      `${failed.length} of ${directories.length} runs could not be measured: ${failed.join(', ')}`,
    );
}

function lineOf(directory: string, measured: Measurements): string {
  const { own, released, bounds, adversary, 'public-names': names } = measured;
  const text = (score: MeasuredScore | undefined) => score && percent(score.f1.value);
  const facts = {
    'own HIPAA F1': text(own?.hipaaToken),
    'own F1': text(own?.binaryToken),
    'HIPAA F1 on releases': text(released?.noiseOff.hipaaToken),
    'F1 on releases': text(released?.noiseOff.binaryToken),
    'limit of every attack': bounds && percent(bounds.certified.bound.value),
    'of words without a vector': names && percent(names.madeUp.bound.value),
    'among public names': names && percent(names.public.bound.value),
    adversary: adversary && percent(adversary.unseen.success.value),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return [directory, ...known.map(([name, value]) => `${name} ${value}`)].join('  ');
}

function parseMeasurements(text: string): Measurement[] {
  return text.split(',').map((name) => {
    const known = MEASUREMENTS.find((each) => each === name.trim());
    if (known) return known;
    throw new InvalidArgumentError(`expected some of ${MEASUREMENTS.join(',')}`);
  });
}
