/**
 * l_general, the mean over targets of how far f's release is from telling them: 1 − cos of what a head
 * says to the public vector of a word less what all such words share, or for `clusters` the cross-entropy of the word's cluster. Which
 * tokens are targets: general-targets.ts.
 */
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Representation } from '../../networks/representation.js';
import { softmaxCrossEntropy } from '../../tensor/cross-entropy.js';
import { l2Normalise } from '../../tensor/l2-normalise.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { GeneralConfig } from '../configuration/general-config.js';
import { type Batch, paddedIds } from '../data/batch.js';
import type { TextExample } from '../data/examples.js';
import { type TargetRule, type Targets, targetsOf } from './general-targets.js';
import { type GeneralTask, HEADS } from './general-task.js';

/** The id of no word, which f sees as zeros. */
const HIDDEN = -1;

/** Some targets' losses added up, and how many they are. */
export interface SummedLosses {
  readonly sum: tf.Scalar;
  readonly targets: number;
}

export class GeneralLoss {
  constructor(
    private readonly representation: Representation,
    private readonly vocabulary: Vocabulary,
    private readonly task: GeneralTask,
    private readonly config: Pick<GeneralConfig, 'maskedShare'>,
  ) {}

  /**
   * The losses of a batch. `releases` are the batch's own [B, T, d], where they have been drawn already;
   * `masked-word` has no use for them. What l_deid reads is never masked: only words that are no PHI can
   * be, so that a mask would tell the de-identifier a label, and f takes a second pass instead.
   */
  of(
    batch: Batch<TextExample>,
    isTarget: TargetRule,
    random: Random,
    releases?: tf.Tensor3D,
  ): SummedLosses[] {
    const { objective } = this.task;
    const ids = paddedIds(
      batch.examples.map((example) => example.ids),
      batch.steps,
    );
    if (objective === 'masked-word') {
      const masked = sample(targetsOf(batch, isTarget), this.config.maskedShare, random);
      if (masked.words.length === 0) return [];
      for (const place of masked.places) ids[place] = HIDDEN;
      return [this.#lossesOf('word', masked, this.#release(ids, batch, random))];
    }
    const wanted = Object.entries(HEADS[objective])
      .map(([head, offset]) => ({ head, targets: targetsOf(batch, isTarget, offset) }))
      .filter(({ targets }) => targets.words.length > 0);
    if (wanted.length === 0) return [];
    const r = releases ?? this.#release(ids, batch, random);
    return wanted.map(({ head, targets }) => this.#lossesOf(head, targets, r));
  }

  #release(ids: Int32Array, { steps, lengths }: Batch<TextExample>, random: Random): tf.Tensor3D {
    const x = this.representation.embed(this.vocabulary, ids, steps); // [B, T, I]
    return this.representation.forward(x, lengths, random); // [B, T, d]
  }

  #lossesOf(head: string, { places, words }: Targets, releases: tf.Tensor3D): SummedLosses {
    const { heads, clusters, centre } = this.task;
    const { inputDimension: d } = heads.config;
    const read = tf.gather(releases.reshape<tf.Tensor2D>([-1, d]), tf.tensor1d(places, 'int32')); // [N, d]
    const predicted = heads.predict(head, read); // [N, O]
    const sum = clusters
      ? softmaxCrossEntropy(predicted, clusters.of(words)).sum<tf.Scalar>()
      : cosineLosses(predicted, vectorsOf(words, this.vocabulary, centre));
    return { sum, targets: words.length };
  }
}

/** The mean over all targets; undefined where there are none. */
export function meanLoss(losses: readonly SummedLosses[]): tf.Scalar | undefined {
  if (losses.length === 0) return undefined;
  const targets = losses.reduce((all, each) => all + each.targets, 0);
  return tf.addN(losses.map(({ sum }) => sum)).div<tf.Scalar>(targets);
}

/** Σ 1 − cos over the rows of two [N, E]. */
function cosineLosses(predicted: tf.Tensor2D, vectors: tf.Tensor2D): tf.Scalar {
  const cosines = l2Normalise(predicted).mul(l2Normalise(vectors)).sum<tf.Scalar>();
  return tf.scalar(predicted.shape[0]).sub(cosines);
}

/** The public vectors of words less `centre` [E], [N, E]. */
function vectorsOf(
  words: Int32Array,
  vocabulary: Vocabulary,
  centre: Float32Array | undefined,
): tf.Tensor2D {
  const { dimension } = vocabulary;
  const table = vocabulary.vectors();
  const vectors = new Float32Array(words.length * dimension);
  words.forEach((id, i) => {
    vectors.set(table.subarray(id * dimension, (id + 1) * dimension), i * dimension);
  });
  const whole = tf.tensor2d(vectors, [words.length, dimension]);
  return centre ? whole.sub<tf.Tensor2D>(tf.tensor1d(centre)) : whole;
}

/** Each target with a probability of `share`. */
function sample({ places, words }: Targets, share: number, random: Random): Targets {
  const kept = places.map(() => (random.uniform() < share ? 1 : 0));
  return {
    places: places.filter((_, i) => kept[i] === 1),
    words: words.filter((_, i) => kept[i] === 1),
  };
}
