import path from 'node:path';
import { describeBundle } from '../../../models/bundle/describe.js';
import { saveForBundle } from '../../../models/bundle/unsigned-bundle.js';
import type { Trust } from '../../../models/bundle/verify.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Random } from '../../../models/tensor/random.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import {
  TRAINING_DEFAULTS,
  type TrainingConfig,
} from '../../../models/training/configuration/config.js';
import { metricsFile } from '../../../models/training/run/metrics-file.js';
import { RunDirectory, requireRun } from '../../../models/training/run/run-directory.js';
import type { StageResult } from '../../../models/training/run/stage.js';
import {
  NETWORKS_FILE,
  networksOf,
  saveNetworks,
} from '../../../models/training/run/trained-networks.js';
import { pooledStatement, validationLosses } from '../../../models/training/statement.js';
import type { SnapshotPart } from '../../../pool-store/snapshots/snapshot.js';
import { TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import { SnapshotSource } from '../../client/snapshot-source.js';
import { type EncodingModel, openEncodingModel } from '../../institution/bundles/encoding-model.js';
import type { Context } from '../context.js';
import {
  OWN_DRAWS,
  type OwnNotes,
  readOwnNotes,
  requireWholeCopies,
  splitOwnNotes,
} from './own-text.js';
import { type PooledNetwork, trainOnPool, trainOnPoolAndText } from './pooled-network.js';
import { withRunLock } from './run-lock.js';
import { requireNoBundles } from './training-bundles.js';
import type { UnsignedBundle } from './unsigned-bundle.js';

/** A training on what institutions contributed to a pool. */
export interface PooledTraining {
  readonly pool: ServiceClient;
  /** Id of the snapshot. */
  readonly snapshot: string;
  /** Directory of the representation bundle that encoded it. */
  readonly model: string;
  readonly trust: Trust;
  /** File of the word vectors that the bundle names, or `wink`. */
  readonly embeddings: string;
  /** Name or file of the label scheme; the bundle's own by default. */
  readonly scheme?: string | undefined;
  /** Labelled notes whose words are read beside the vectors: files or folders. What comes of it is not to be published. */
  readonly own?: readonly string[] | undefined;
  /** The same of notes that the representation learned from, such as its provider's public ones. */
  readonly learnedFrom?: readonly string[] | undefined;
  readonly config: TrainingConfig;
  readonly directory: string;
  /** What the pipeline is published as. */
  readonly name: string;
  readonly version: string;
  readonly resume: boolean;
  /** As `StageContext`. */
  readonly epochKept?: ((epoch: number) => Promise<void>) | undefined;
}

export interface PooledReport {
  readonly stage: StageResult;
  readonly scores: PooledNetwork['scores'];
  readonly measuredOn: PooledNetwork['measuredOn'];
  /** How many the snapshot holds. */
  readonly sentences: number;
  readonly bundle: UnsignedBundle;
}

type Work = Pick<Context, 'signal' | 'progress'>;

/**
 * Trains a de-identifier on the vectors of a snapshot, read over HTTP, and on text of one's own where there is some, and
 * leaves what a bundle needs in the run's directory. Throws `config-invalid` as `requireWholeCopies`, `file-not-found` where
 * there is no run to resume, `file-exists` as `requireNoBundles`, `checkpoint-invalid` where it began with another configuration or held other notes, `model-unsuitable` where the snapshot was encoded with another model, `bundle-invalid`
 * where no manifest can state what was trained, whose network is in the directory then, and as opening the bundle and
 * reading notes do.
 */
export async function trainPooledRun(task: PooledTraining, work: Work): Promise<PooledReport> {
  const { pool, snapshot, config, trust, scheme, directory } = task;
  const { signal } = work;
  const sources = { own: task.own ?? [], learnedFrom: task.learnedFrom ?? [] };
  if (sources.own.length + sources.learnedFrom.length > 0) requireWholeCopies(config);
  if (task.resume) await requireRun(directory);
  await requireNoBundles(directory);
  const embeddings = await openEmbeddings(task.embeddings, work);
  const model = await openEncodingModel(task.model, { ...trust, embeddings, scheme });
  try {
    const own = await readOwnNotes(sources, model.scheme, signal);
    const opened = await SnapshotSource.open(pool, snapshot, config.seed, { signal });
    const source = opened.labelledFor(model);
    return await withRunLock(directory, () => train(source, own, model, task, work));
  } finally {
    model.representation.dispose();
  }
}

async function train(
  source: SnapshotSource,
  own: readonly OwnNotes[],
  model: EncodingModel,
  task: PooledTraining,
  { signal, progress }: Work,
): Promise<PooledReport> {
  const { config, directory, name, version, resume, epochKept } = task;
  const isOwn = own.length > 0;
  const registered = {
    ...{ kind: 'pooled', snapshot: task.snapshot, model: model.digest },
    ...(isOwn && { ownText: true }),
    ...config,
  };
  const { digest: scheme } = model.scheme;
  const record = { ...registered, ...(isOwn && digestsOf(own, config)), scheme };
  // Earlier versions did not record the scheme: of their runs it is taken on trust.
  const defaults = { ...TRAINING_DEFAULTS, scheme };
  const run = await RunDirectory.open(directory, record, { resume, defaults });
  // A digest of notes of one's own is nothing that a pool should have.
  await source.register(name, version, registered);
  const context = { random: new Random(config.seed), run, signal, progress, epochKept };
  const learn = isOwn ? trainOnPoolAndText : trainOnPool;
  const result = await learn(source, own, model, config, context);
  try {
    return await describedRun(result, source, own, model, task);
  } catch (error) {
    if (!(error instanceof TacetError && error.code === 'bundle-invalid')) throw error;
    await saveNetworks(directory, networksOf({ deidentifier: result.deidentifier }));
    throw new TacetError(
      error.code,
      `${error.message}: there is no pipeline, and the network is kept (${path.join(directory, NETWORKS_FILE)})`,
    );
  } finally {
    result.deidentifier.dispose();
  }
}

/** Leaves what a bundle needs in the run's directory. */
async function describedRun(
  { deidentifier, stage, scores, measuredOn }: PooledNetwork,
  source: SnapshotSource,
  own: readonly OwnNotes[],
  model: EncodingModel,
  { name, version, directory, config: { seed, augmentation }, ...task }: PooledTraining,
): Promise<PooledReport> {
  const { representation, language, vocabulary, scheme, digest } = model;
  const { id: snapshot, sentenceCount: sentences, entities, keptTypes, parts } = source.snapshot;
  const described = describeBundle(
    { representation, deidentifier },
    {
      ...{ name, version, scheme, embeddings: vocabulary.embeddings },
      embeddingsName: path.basename(task.embeddings),
      training: pooledStatement({
        ...{ snapshot, representation: digest, language, entities, copies: copiesText(parts) },
        ...{ keptTypes, sentences, seed, own: countOf(own), ownCopies: augmentation.replaced },
      }),
      scores: { ...scores, ...validationLosses({ pooled: stage }) },
    },
  );
  const inventory = model.inventory?.file;
  const files = await saveForBundle(directory, { ...described, inventory });
  const bundle = { kind: described.fields.kind, ...files, metrics: metricsFile(directory) };
  return { stage, scores, measuredOn, sentences, bundle };
}

/** Of notes of one's own, and of those among them that end the training. */
function digestsOf(own: readonly OwnNotes[], config: TrainingConfig) {
  const of = (isLearned: boolean) =>
    own
      .filter((each) => each.isLearned === isLearned)
      .map(({ documents }) => documentsDigest(documents));
  const learnedFrom = of(true);
  const parts = splitOwnNotes(own, config, new Random(config.seed).fork(OWN_DRAWS));
  const held = documentsDigest(parts.flatMap(({ validation }) => validation));
  return { notes: of(false), held, ...(learnedFrom.length > 0 && { learnedFrom }) };
}

function countOf(own: readonly OwnNotes[]): number {
  return own.reduce((sum, { documents }) => sum + documents.length, 0);
}

/** How often the notes of contributions left, where some left more than once. */
function copiesText(parts: readonly SnapshotPart[]): string | undefined {
  const copies = parts.map((part) => part.copies);
  return copies.every((each) => each === 1) ? undefined : copies.join(', ');
}
