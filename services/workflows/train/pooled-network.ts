import type { Manifest } from '../../../models/bundle/manifest.js';
import { vocabularyFor } from '../../../models/networks/vocabulary-for.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import { trainPooled, trainPooledWithText } from '../../../models/training/pooled.js';
import type { StageContext } from '../../../models/training/run/stage-context.js';
import type { SupervisedResult } from '../../../models/training/supervised.js';
import { pooledScores } from '../../../study/measures/pooled-scores.js';
import { statedTagging } from '../../../study/measures/validation-scores.js';
import { deidentifierScores } from '../../../study/runs/deidentifier-scores.js';
import type { SnapshotSource } from '../../client/snapshot-source.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import type { Context as Work } from '../context.js';
import { OWN_DRAWS, type OwnNotes, prepareOwnText } from './own-text.js';

/** A network that learned from a pool, and what it scores on what ended its training. */
export interface PooledNetwork extends SupervisedResult {
  readonly scores: Manifest['scores'];
  /** Notes of one's own where there are some, else sentences of the snapshot. */
  readonly measuredOn: { readonly count: number; readonly of: 'notes' | 'sentences' };
}

type Measured = Pick<PooledNetwork, 'scores' | 'measuredOn'>;

type Context = StageContext & Pick<Work, 'signal' | 'progress'>;

/** What scores on notes of one's own are of. */
const OWN_NOTES = 'validation notes of one’s own';

/** On released vectors alone. */
export async function trainOnPool(
  source: SnapshotSource,
  _: readonly OwnNotes[],
  { scheme }: EncodingModel,
  config: TrainingConfig,
  context: Context,
): Promise<PooledNetwork> {
  const { validation, ...trained } = await trainPooled(source, scheme, config, context);
  const measured = pooledScores(trained.deidentifier, validation, scheme, config, context);
  const found = measured.then(({ scores, sentences }): Measured => {
    return { scores, measuredOn: { count: sentences, of: 'sentences' } };
  });
  return scored(trained, found);
}

/** On released vectors, and on text of one's own, whose words it reads beside them. */
export async function trainOnPoolAndText(
  source: SnapshotSource,
  own: readonly OwnNotes[],
  { scheme, language, representation, vocabulary: { embeddings } }: EncodingModel,
  config: TrainingConfig,
  context: Context,
): Promise<PooledNetwork> {
  const vocabulary = vocabularyFor(embeddings, config.deidentifier, representation.config);
  const draws = context.random.fork(OWN_DRAWS);
  const reader = { representation, vocabulary };
  const text = await prepareOwnText(own, { ...reader, scheme, language }, config, draws, context);
  const trained = await trainPooledWithText(source, text, vocabulary, scheme, config, context);
  const tagger = { ...reader, deidentifier: trained.deidentifier, scheme };
  const measuredOn = { count: text.held.length, of: 'notes' } as const;
  const found = deidentifierScores(tagger, text.held, context).then((scores): Measured => {
    return { scores: statedTagging(scores, OWN_NOTES), measuredOn };
  });
  return scored(trained, found);
}

/** Once there are scores; lets go of the network where there are none. */
async function scored(
  trained: SupervisedResult,
  measured: Promise<Measured>,
): Promise<PooledNetwork> {
  try {
    return { ...trained, ...(await measured) };
  } catch (error) {
    trained.deidentifier.dispose();
    throw error;
  }
}
