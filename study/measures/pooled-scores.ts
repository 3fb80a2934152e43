import { setImmediate } from 'node:timers/promises';
import type { Manifest } from '../../models/bundle/manifest.js';
import type { Deidentifier } from '../../models/networks/deidentifier.js';
import * as tf from '../../models/tensor/tf.js';
import type { Document } from '../../models/text/document.js';
import { decodeLabels } from '../../models/text/iob2.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import type { Token } from '../../models/text/token.js';
import { type Batch, paddedVectors } from '../../models/training/data/batch.js';
import { oneOfCopies } from '../../models/training/data/copy-weight.js';
import type { VectorExample } from '../../models/training/data/examples.js';
import { joinedBuckets } from '../../models/training/data/joined-pieces.js';
import type { PooledConfig } from '../../models/training/pooled.js';
import type { StageContext } from '../../models/training/run/stage-context.js';
import { evaluatedPairs, scoresFrom } from '../runs/deidentifier-scores.js';
import { statedTagging } from './validation-scores.js';

/** Of a pool's notes others were trained on, since it cannot tell whose a sentence is: what they say is optimistic. */
const SENTENCES = 'validation sentences as released, of notes that were trained on too';

export interface PooledScores {
  readonly scores: Manifest['scores'];
  /** How many are scored. */
  readonly sentences: number;
}

/**
 * What a manifest says of how well a pooled de-identifier does on the sentences that ended its
 * training, as they were released: with their noise, which a pipeline's own input lacks. Of those that stand in
 * copies one copy's share is scored (`oneOfCopies`), so that neither scores nor intervals follow how many there are.
 * Intervals are over sentences as `joinedBuckets` joins them, since a pool does not know documents.
 */
export async function pooledScores(
  deidentifier: Deidentifier,
  validation: readonly VectorExample[],
  scheme: LabelScheme,
  { batchSentences }: Pick<PooledConfig, 'batchSentences'>,
  { signal }: Pick<StageContext, 'signal'>,
): Promise<PooledScores> {
  const sentences = oneOfCopies(validation);
  const pairs: { gold: Document; system: Document }[] = [];
  for (const batch of joinedBuckets(sentences, batchSentences)) {
    signal?.throwIfAborted();
    const found = labelsFound(deidentifier, batch);
    batch.examples.forEach(({ labels }, row) => {
      const id = String(pairs.length);
      const own = found.subarray(row * batch.steps, row * batch.steps + labels.length);
      pairs.push({ gold: standIn(id, labels, scheme), system: standIn(id, own, scheme) });
    });
    await setImmediate();
  }
  const scores = statedTagging(scoresFrom(evaluatedPairs(pairs)), SENTENCES);
  return { scores, sentences: sentences.length };
}

/** [B·T], the most likely labels. */
function labelsFound(deidentifier: Deidentifier, batch: Batch<VectorExample>): Int32Array {
  const { examples, steps, lengths } = batch;
  const dimension = deidentifier.config.inputDimension;
  const rows = examples.map(({ vectors }) => vectors);
  return tf.tidy(() => {
    const vectors = paddedVectors(rows, steps, dimension);
    const inputs = tf.tensor3d(vectors, [examples.length, steps, dimension]);
    return deidentifier.decode(deidentifier.emissions(inputs, lengths), lengths);
  });
}

/** A text of as many tokens, one letter each, with the spans that the labels make. */
function standIn(id: string, labels: ArrayLike<number>, scheme: LabelScheme): Document {
  const tokens: Token[] = Array.from(labels, (_, t) => ({
    text: 'x',
    start: 2 * t,
    end: 2 * t + 1,
  }));
  const spans = decodeLabels(tokens, Uint8Array.from(labels), scheme);
  return { id, text: tokens.map(({ text }) => text).join(' '), spans };
}
