import { access } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '../../models/bundle/manifest.js';
import type { Estimate } from '../../models/statistics/estimate.js';
import { Random } from '../../models/tensor/random.js';
import { documentsDigest } from '../../models/text/documents-digest.js';
import { TRAINING_DEFAULTS } from '../../models/training/config.js';
import { statisticsLine } from '../../models/training/phi-statistics.js';
import { prepareNotes } from '../../models/training/recipes.js';
import { RunDirectory } from '../../models/training/run-directory.js';
import { stageLines } from '../../models/training/statement.js';
import { NETWORKS_FILE, networksOf, saveNetworks } from '../../models/training/trained-networks.js';
import { hundredths, percent } from '../../platform/percent-text.js';
import { TacetError } from '../../proto/errors.js';
import { openFinishedRun } from '../../study/finished-run.js';
import { validationScores } from '../../study/validation-scores.js';
import type { Context } from './context.js';
import { saveBundles } from './training-bundles.js';
import type { Outcome } from './training-kinds.js';
import { resultLines } from './training-result.js';
import type { TrainingTask } from './training-task.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

export interface TrainingReport {
  readonly stages: Outcome['stages'];
  readonly statistics: Outcome['statistics'] | undefined;
  readonly limit: Outcome['limit'] | undefined;
  readonly documents: { readonly train: number; readonly validation: number };
  /** On the validation documents. */
  readonly scores: Manifest['scores'];
  readonly bundles: readonly UnsignedBundle[];
  /** For people. */
  readonly lines: readonly string[];
}

/** Trains to the end, and leaves networks and what a bundle needs in the run's directory. */
export async function trainRun(
  task: TrainingTask,
  { signal, progress, say }: Pick<Context, 'signal' | 'progress' | 'say'>,
): Promise<TrainingReport> {
  const { training, config, directory, material, backend, resume } = task;
  const { documents, scheme, embeddings } = material;
  const run = await RunDirectory.open(directory, recordOf(task), {
    resume,
    defaults: TRAINING_DEFAULTS,
  });
  const context = { random: new Random(config.seed), run, signal, progress };
  const notes = prepareNotes(documents, scheme, embeddings, config, context);
  const { train, validation } = notes.documents;
  say(`training on ${train} documents, stopping by ${validation} others, backend ${backend}`);
  const outcome = await training.recipe(notes, scheme, config, context);
  const { stages, statistics, limit, networks } = outcome;
  if (config.outputNoiseFactor !== 1)
    outcome.representation?.amplifyOutputNoise(config.outputNoiseFactor);
  const work = { signal, progress };
  const scores = await validationScores(outcome, { notes, scheme, config }, work);
  const bundles = await saveBundles(outcome, task, notes, scores);
  // Last, since a run with networks has come to its end.
  await saveNetworks(directory, networksOf(networks));
  for (const { parameters } of Object.values(networks)) parameters.dispose();
  const moved = statistics ? [statisticsLine(statistics)] : [];
  const measuredOn = `the ${validation} validation notes, which ended the training`;
  const lines = [
    ...[...stageLines(stages), ...moved, ...resultLines(scores, measuredOn, bundles)],
    ...(limit ? [limitLine(limit), 'no bundle: its noise depends on the input'] : []),
  ];
  return { documents: notes.documents, stages, statistics, limit, scores, bundles, lines };
}

/**
 * Whether the run of a task has come to its end. Throws `checkpoint-invalid` where another one has
 * in its directory.
 */
export async function isTrained(task: TrainingTask): Promise<boolean> {
  const { directory } = task;
  const networks = path.join(directory, NETWORKS_FILE);
  if (
    !(await access(networks)
      .then(() => true)
      .catch(() => false))
  )
    return false;
  const { kind, backend, scheme, embeddings, corpus, config } = await openFinishedRun(directory);
  const found = { kind, backend, scheme, embeddings, corpus, ...config };
  if (isDeepStrictEqual(found, JSON.parse(JSON.stringify(recordOf(task))))) return true;
  throw new TacetError(
    'checkpoint-invalid',
    `${directory} holds a finished run of another configuration or other notes; choose another directory`,
  );
}

/** What a run's `config.json` says. */
function recordOf({ training, backend, material, config }: TrainingTask) {
  const { documents, scheme, embeddings } = material;
  return {
    ...{ kind: training.kind, backend, scheme: scheme.digest, embeddings: embeddings.identity },
    ...{ corpus: documentsDigest(documents), ...config },
  };
}

function limitLine({ value, interval }: Estimate): string {
  const [from, to] = interval.map((end) => hundredths(end));
  return `no adversary is right about more than ${percent(value)} of pairs [${from}, ${to}]`;
}
