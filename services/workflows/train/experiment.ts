import path from 'node:path';
import { MOST_NAME_CHARACTERS } from '../../../models/bundle/manifest.js';
import {
  type TrainingConfig,
  trainingConfig,
} from '../../../models/training/configuration/config.js';
import { configOfKind } from '../../../models/training/configuration/config-of-kind.js';
import { namedConfiguration } from '../../../models/training/configuration/configurations.js';
import type { Corpus } from '../../../models/training/corpus-statement.js';
import { hasRun } from '../../../models/training/run/run-directory.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { TacetError } from '../../../proto/errors.js';
import { type MeasureOptions, measure } from '../../../study/measures/measure.js';
import { openFinishedRun } from '../../../study/runs/finished-run.js';
import { type PlannedRun, plannedRuns } from '../../../study/runs/plan.js';
import type { Material } from '../../../study/runs/subject.js';
import { requireUnseen } from '../../../study/runs/unseen.js';
import type { Context } from '../context.js';
import { withRunLock } from './run-lock.js';
import { requireNoBundles } from './training-bundles.js';
import { readConfig } from './training-config.js';
import { type Training, trainingOf } from './training-kinds.js';
import { isTrained, trainRun } from './training-run.js';

/** A run of a plan whose configuration has been read. */
export interface ReadyRun extends PlannedRun {
  readonly training: Training;
  readonly configuration: TrainingConfig;
}

export interface ExperimentOptions {
  readonly directory: string;
  readonly material: Material;
  /** For the runs of the plan that have a general objective. */
  readonly unlabelled?: Corpus | undefined;
  readonly backend: string;
  /** Null leaves the runs unmeasured. */
  readonly measuring: Omit<MeasureOptions, 'signal' | 'progress' | 'say'> | null;
}

export interface RunReport {
  readonly directory: string;
  readonly training: 'trained' | 'had come to its end' | 'failed' | 'busy';
  /** Why it failed. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Reads a plan and all of its configurations. Throws `file-not-found` or `config-invalid`. */
export async function readPlan(file: string): Promise<ReadyRun[]> {
  const plan = await readJsonFile(file, { what: 'plan', code: 'config-invalid' });
  const planned = plannedRuns(plan);
  const ready: ReadyRun[] = [];
  for (const run of planned) {
    const training = trainingOf(run.kind);
    const usual = await configurationOf(run, training, path.dirname(file));
    const configuration = trainingConfig(run.settings, `${file}: ${run.directory}`, usual);
    ready.push({ ...run, training, configuration });
  }
  return ready;
}

/** Whether a run learns something that needs no labels. */
export function isGeneral({ training, configuration }: ReadyRun): boolean {
  return training.isGeneral === true && configuration.general.objective !== 'none';
}

/**
 * Trains and measures every run of a plan, one after another, each in its own directory. What has
 * been done is left alone, what was interrupted goes on, what fails is reported and does not stop the
 * others. A run that another process works on is left to that. Throws `corpus-invalid` where runs are measured and a
 * held-out document is one of those that they learn from.
 */
export async function runExperiment(
  runs: readonly ReadyRun[],
  options: ExperimentOptions,
  context: Context,
): Promise<RunReport[]> {
  const { documents, heldOut } = options.material;
  if (options.measuring) requireUnseen(documents, heldOut);
  const reports: RunReport[] = [];
  for (const [i, run] of runs.entries()) {
    context.signal.throwIfAborted();
    const directory = path.join(options.directory, run.directory);
    context.say(`${run.directory} (${i + 1} of ${runs.length})`);
    const report = await withRunLock(directory, () => work(run, directory, options, context)).catch(
      (error: unknown) => failure(directory, error, context),
    );
    reports.push(report);
    const { training, error } = report;
    context.say(`${run.directory}: ${training}${error ? `: ${error.code}: ${error.message}` : ''}`);
  }
  return reports;
}

async function work(
  run: ReadyRun,
  directory: string,
  { material, unlabelled, backend, measuring }: ExperimentOptions,
  context: Context,
): Promise<RunReport> {
  const { signal, say } = context;
  await requireNoBundles(directory);
  const progress: Context['progress'] = (event) =>
    context.progress({ ...event, step: `${run.directory}: ${event.step}` });
  const task = {
    ...{ training: run.training, config: run.configuration, directory, material, backend },
    ...{ name: bundleNameOf(run), version: '1.0.0' },
    ...(isGeneral(run) && { unlabelled }),
    resume: await hasRun(directory),
  };
  const wasTrained = await isTrained(task);
  if (!wasTrained) {
    const { unbundled } = await trainRun(task, { signal, progress, say });
    if (unbundled !== undefined) say(`${run.directory}: ${unbundled}`);
  }
  if (measuring) {
    const finished = await openFinishedRun(directory);
    await measure(finished, material, { ...measuring, signal, progress, say });
  }
  return { directory, training: wasTrained ? 'had come to its end' : 'trained' };
}

function bundleNameOf({ name }: ReadyRun): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME_CHARACTERS);
}

/** An interruption stops everything; any other failure is that of one run. */
function failure(directory: string, error: unknown, { signal }: Context): RunReport {
  signal.throwIfAborted();
  if (!(error instanceof TacetError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { directory, training: 'failed', error: { code: 'internal', message } };
  }
  const { code, message } = error;
  return { directory, training: code === 'run-busy' ? 'busy' : 'failed', error: { code, message } };
}

/** Given in the plan, of those that Tacet comes with, or in a file beside the plan. */
async function configurationOf(
  { config, directory }: PlannedRun,
  { kind }: Training,
  folder: string,
): Promise<TrainingConfig> {
  if (typeof config === 'object') return configOfKind(config, directory, kind);
  const isNamed = namedConfiguration(config) !== undefined;
  return readConfig(isNamed ? config : path.resolve(folder, config), {}, kind);
}
