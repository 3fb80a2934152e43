import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { Random } from '../../../models/tensor/random.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { TRAINING_DEFAULTS } from '../../../models/training/configuration/config.js';
import { languageOfCopies } from '../../../models/training/configuration/language-of-copies.js';
import { prepareUnlabelled } from '../../../models/training/data/unlabelled.js';
import { prepareNotes } from '../../../models/training/recipes.js';
import { RunDirectory } from '../../../models/training/run/run-directory.js';
import {
  NETWORKS_FILE,
  networksOf,
  saveNetworks,
} from '../../../models/training/run/trained-networks.js';
import { isThere } from '../../../platform/files/is-there.js';
import { TacetError } from '../../../proto/errors.js';
import { validationScores } from '../../../study/measures/validation-scores.js';
import { openFinishedRun } from '../../../study/runs/finished-run.js';
import type { Context } from '../context.js';
import { type SavedBundles, saveBundles } from './training-bundles.js';
import type { Outcome } from './training-kinds.js';
import type { TrainingTask } from './training-task.js';

export interface TrainingReport extends SavedBundles {
  readonly stages: Outcome['stages'];
  readonly statistics: Outcome['statistics'] | undefined;
  readonly limit: Outcome['limit'] | undefined;
  readonly documents: { readonly train: number; readonly validation: number };
  /** On the validation documents. */
  readonly scores: Manifest['scores'];
}

/** Trains to the end, and leaves networks in the run's directory, and what a bundle needs where one can hold them. */
export async function trainRun(
  task: TrainingTask,
  { signal, progress, say }: Pick<Context, 'signal' | 'progress' | 'say'>,
): Promise<TrainingReport> {
  const { training, config, directory, material, unlabelled, backend, resume } = task;
  const { scheme } = material;
  const run = await RunDirectory.open(directory, recordOf(task), {
    resume,
    defaults: { ...TRAINING_DEFAULTS, ...languageRecord(task) },
  });
  const context = { random: new Random(config.seed), run, signal, progress };
  const labelled = await prepareNotes(material, config, context);
  const { vocabulary } = labelled;
  const text =
    unlabelled && prepareUnlabelled({ ...unlabelled, scheme, vocabulary }, config, context);
  const notes = { ...labelled, unlabelled: text };
  const { train, validation } = notes.documents;
  const beside = text ? ` and the text of ${text.documents.train} without labels` : '';
  say(
    `training on ${train} documents${beside}, stopping by ${validation} others, backend ${backend}`,
  );
  const outcome = await training.recipe(notes, scheme, config, context);
  const { stages, statistics, limit, networks } = outcome;
  if (config.outputNoiseFactor !== 1)
    outcome.representation?.amplifyOutputNoise(config.outputNoiseFactor);
  const work = { signal, progress };
  const scores = await validationScores(outcome, { notes, scheme, config }, work);
  const saved = await saveBundles(outcome, task, notes, scores);
  // Last, since a run with networks has come to its end.
  await saveNetworks(directory, networksOf(networks));
  for (const { parameters } of Object.values(networks)) parameters.dispose();
  return { documents: notes.documents, stages, statistics, limit, scores, ...saved };
}

/**
 * Whether the run of a task has come to its end. Throws `checkpoint-invalid` where another one has
 * in its directory.
 */
export async function isTrained(task: TrainingTask): Promise<boolean> {
  const { directory } = task;
  if (!(await isThere(path.join(directory, NETWORKS_FILE)))) return false;
  const { directory: _, epochs: __, config, ...identity } = await openFinishedRun(directory);
  const found = { ...languageRecord(task), ...identity, ...config };
  if (isDeepStrictEqual(found, JSON.parse(JSON.stringify(recordOf(task))))) return true;
  throw new TacetError(
    'checkpoint-invalid',
    `${directory} holds a finished run of another configuration or other notes; choose another directory`,
  );
}

/** What a run's `config.json` says. */
function recordOf({ training, backend, material, unlabelled, config }: TrainingTask) {
  const { documents, scheme, embeddings } = material;
  return {
    ...{ kind: training.kind, backend, scheme: scheme.digest, embeddings: embeddings.identity },
    corpus: documentsDigest(documents),
    ...(unlabelled && { unlabelled: documentsDigest(unlabelled.documents) }),
    ...languageRecord({ material, config }),
    ...config,
  };
}

/** Earlier versions did not record it: of their runs it is taken on trust. */
function languageRecord({ material, config }: Pick<TrainingTask, 'material' | 'config'>) {
  const language = languageOfCopies(material, config);
  return language === undefined ? {} : { language };
}
