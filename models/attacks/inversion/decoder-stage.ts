import type { Decoder } from '../../networks/decoder.js';
import { softmaxCrossEntropy } from '../../tensor/cross-entropy.js';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import { BATCH_SENTENCES, type Batch, lengthBuckets, tokensOf } from '../../training/data/batch.js';
import type { TextExample } from '../../training/data/examples.js';
import { Learner } from '../../training/run/learner.js';
import { LEARNER_DEFAULTS } from '../../training/run/learner-options.js';
import type { Stage } from '../../training/run/stage.js';
import type { LearningLimits } from '../learned/learning-limits.js';
import { observeNotes } from '../likelihood/observe.js';
import type { AuditTarget } from '../target.js';
import type { Dictionary } from './dictionary.js';

/** A decoder, what it learns from and what it answers with. */
export interface Reader {
  readonly target: AuditTarget;
  readonly decoder: Decoder;
  readonly dictionary: Dictionary;
  /** [V, W] */
  readonly vectors: tf.Tensor2D;
  /** Whether it sees the released vectors, or only what is shared in clear. */
  readonly sighted: boolean;
}

const LEARNING_RATE = 0.003;

/** How many numbers a reader sees of each token: d + L, or L without the vectors. */
export function inputsOf({ representation, labels }: AuditTarget, sighted: boolean): number {
  return (sighted ? representation.config.dimension : 0) + labels.length;
}

/** Trains a reader to name every word of the attacker's own notes. */
export function decoderStage(name: string, reader: Reader, limits: LearningLimits): Stage {
  const { target, decoder } = reader;
  const learner = new Learner([decoder.parameters], {
    ...LEARNER_DEFAULTS,
    learningRate: LEARNING_RATE,
  });
  return {
    name,
    ...limits,
    networks: { decoder: decoder.parameters },
    optimisers: { decoder: learner },
    tokensPerEpoch: tokensOf(target.train),
    *batches(random) {
      for (const batch of lengthBuckets(target.train, BATCH_SENTENCES, random)) {
        const run = () =>
          tf.tidy(() => {
            const x = features(reader, batch, random);
            return { l_word: learner.step(() => lossOf(reader, x, batch)) };
          });
        yield { tokens: batch.tokens, run };
      }
    },
    validate(random) {
      let sum = 0;
      let tokens = 0;
      for (const batch of lengthBuckets(target.validation, BATCH_SENTENCES)) {
        const loss = () => lossOf(reader, features(reader, batch, random), batch);
        sum += batch.tokens * tf.tidy(() => loss().dataSync<'float32'>()[0]);
        tokens += batch.tokens;
      }
      return { l_word: sum / tokens, monitor: sum / tokens };
    },
  };
}

/** How many words of the dictionary score above the right one at each token, [B·T]. */
export function ranksOf(reader: Reader, batch: Batch<TextExample>, random: Random): Float64Array {
  const { decoder, dictionary, vectors } = reader;
  const { examples, steps, lengths } = batch;
  const scores = scoped(() =>
    decoder.logits(features(reader, batch, random), lengths, vectors).dataSync<'float32'>(),
  );
  const ranks = new Float64Array(examples.length * steps).fill(Number.POSITIVE_INFINITY);
  examples.forEach(({ ids }, sentence) => {
    ids.forEach((id, t) => {
      const token = sentence * steps + t;
      const row = dictionary.rowOf(id);
      if (row < 0) return;
      const own = scores.subarray(token * dictionary.size, (token + 1) * dictionary.size);
      let above = 0;
      for (let i = 0; i < own.length; i++) if (own[i] > own[row]) above += 1;
      ranks[token] = above;
    });
  });
  return ranks;
}

/** What a reader sees of a batch, [B, T, I]: a release where it sees one, then labels. */
function features(
  { target, sighted }: Reader,
  { examples, steps, labels: labelIds }: Batch<TextExample>,
  random: Random,
): tf.Tensor3D {
  const { labels } = target;
  const clear = oneHot(labelIds, labels.length).reshape<tf.Tensor3D>([
    ...[examples.length, steps, labels.length],
  ] as [number, number, number]);
  return sighted ? tf.concat3d([observeNotes(target, examples, random), clear], 2) : clear;
}

function oneHot(values: ArrayLike<number>, width: number): tf.Tensor1D {
  const rows = new Float32Array(values.length * width);
  for (let i = 0; i < values.length; i++) rows[i * width + values[i]] = 1;
  return tf.tensor1d(rows);
}

/** Mean cross-entropy over true tokens whose word is in the dictionary. */
function lossOf(
  { decoder, dictionary, vectors }: Reader,
  x: tf.Tensor3D,
  { examples, steps, lengths }: Batch<TextExample>,
): tf.Scalar {
  const rows = new Int32Array(examples.length * steps);
  const weights = new Float32Array(rows.length);
  examples.forEach(({ ids }, sentence) => {
    ids.forEach((id, t) => {
      const row = dictionary.rowOf(id);
      if (row < 0) return;
      rows[sentence * steps + t] = row;
      weights[sentence * steps + t] = 1;
    });
  });
  const total = Math.max(
    1,
    weights.reduce((a, b) => a + b, 0),
  );
  const losses = softmaxCrossEntropy(decoder.logits(x, lengths, vectors), rows);
  return losses.mul(weights).sum<tf.Scalar>().div(total);
}
