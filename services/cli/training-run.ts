import { access } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Estimate } from '../../models/attacks/estimate.js';
import { describeBundle } from '../../models/bundle/describe.js';
import { scoreTexts } from '../../models/bundle/stated-scores.js';
import { saveForBundle } from '../../models/bundle/unsigned-bundle.js';
import { openFinishedRun } from '../../models/results/finished-run.js';
import type { Material } from '../../models/results/subject.js';
import { validationScores } from '../../models/results/validation-scores.js';
import { Random } from '../../models/tensor/random.js';
import { documentsDigest } from '../../models/text/documents-digest.js';
import { TRAINING_DEFAULTS, type TrainingConfig } from '../../models/training/config.js';
import { corpusStatement } from '../../models/training/corpus-statement.js';
import { statisticsLine } from '../../models/training/phi-statistics.js';
import { type PreparedNotes, prepareNotes } from '../../models/training/recipes.js';
import { RunDirectory } from '../../models/training/run-directory.js';
import {
  stageLines,
  trainingStatement,
  validationLosses,
} from '../../models/training/statement.js';
import { NETWORKS_FILE, networksOf, saveNetworks } from '../../models/training/trained-networks.js';
import { TacetError } from '../../proto/errors.js';
import type { Context } from './context.js';
import type { Outcome, Training } from './training-kinds.js';

/** One run of `tacet train`: what on, how, and where to. */
export interface TrainingTask {
  readonly training: Training;
  readonly config: TrainingConfig;
  readonly directory: string;
  readonly material: Omit<Material, 'heldOut'>;
  readonly backend: string;
  /** What a published representation is called. */
  readonly name: string;
  readonly version: string;
  readonly resume: boolean;
}

export interface TrainingReport {
  readonly stages: Outcome['stages'];
  readonly statistics: Outcome['statistics'] | undefined;
  readonly limit: Outcome['limit'] | undefined;
  readonly documents: { readonly train: number; readonly validation: number };
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
  const bundle = await bundleLines(outcome, task, notes, { signal, progress });
  // Last, since a run with networks has come to its end.
  await saveNetworks(directory, networksOf(networks));
  for (const { parameters } of Object.values(networks)) parameters.dispose();
  const moved = statistics ? [statisticsLine(statistics)] : [];
  const lines = [...stageLines(stages), ...moved, ...bundle];
  return { documents: notes.documents, stages, statistics, limit, lines };
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

/** Writes what `tacet bundle create` signs, where there is something to publish, and says how to call it. */
async function bundleLines(
  { representation, deidentifier, objective, stages, limit }: Outcome,
  { directory, config, material, name, version }: TrainingTask,
  notes: PreparedNotes,
  work: Pick<Context, 'signal' | 'progress'>,
): Promise<string[]> {
  if (limit) return [limitLine(limit), 'no bundle: its noise depends on the input'];
  if (!representation || !deidentifier || !objective) return [];
  const { scheme, embeddings, embeddingsName } = material;
  const training = {
    ...corpusStatement(material, notes),
    ...trainingStatement(objective, config),
  };
  const networks = { representation, deidentifier };
  const measured = await validationScores(networks, { notes, scheme, config }, work);
  const scores = { ...measured, ...validationLosses(stages) };
  const described = describeBundle(
    { representation },
    { name, version, scheme, embeddings, embeddingsName, training, scores },
  );
  const { manifest, weights } = await saveForBundle(directory, described);
  return [
    ...Object.entries(scoreTexts(measured)).map(([score, text]) => `${score}: ${text}`),
    `to sign it: tacet bundle create DIR --manifest ${manifest} --weights ${weights} --key PRIVATE.pem`,
  ];
}

function limitLine({ value, interval }: Estimate): string {
  const [from, to] = interval.map((end) => (100 * end).toFixed(1));
  return `no adversary is right about more than ${(100 * value).toFixed(1)} % of pairs [${from}, ${to}]`;
}
