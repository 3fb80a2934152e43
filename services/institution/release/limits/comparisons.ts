/**
 * Δ² of many pairs of one sentence under one draw of the input noise. Both sides of a pair share
 * their noise, so all pairs of a draw can share it, and with it f of the text itself: one forward pass
 * serves every entity of the sentence, and a twin's serves the moves of the twin.
 */
import { setImmediate } from 'node:timers/promises';
import { tokenMask } from '../../../../models/networks/pooling.js';
import { gaussianNoise } from '../../../../models/tensor/gaussian-noise.js';
import type { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { paddedIds } from '../../../../models/training/data/batch.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';

/** Sentences in one forward pass: short enough for other work in between. */
const BATCH_SENTENCES = 128;

/** Where a Δ² goes. */
export interface Place {
  readonly squared: Float64Array;
  readonly at: number;
}

interface Pair extends Place {
  readonly one: number;
  readonly other: number;
}

/** Sentences of one length, T tokens of vocabulary ids each, and which of them are compared. */
export class Comparisons {
  readonly sentences: Int32Array[] = [];
  readonly pairs: Pair[] = [];

  /** `noise` draws the input noise that all of them share. */
  constructor(
    readonly tokens: number,
    readonly noise: Random,
  ) {}

  /** The number of a sentence, for `compare`. */
  add(ids: Int32Array): number {
    return this.sentences.push(ids) - 1;
  }

  /** Two equal sentences are no distance apart, and need no forward pass. */
  compare(one: number, ids: Int32Array, place: Place): number {
    if (this.sentences[one]?.every((id, t) => id === ids[t])) return one;
    const other = this.add(ids);
    this.pairs.push({ one, other, ...place });
    return other;
  }
}

/** Each draw from its own stream, so that it does not depend on what it is measured with. */
function noiseOf(draws: readonly Comparisons[], T: number, stddev: tf.Tensor1D): tf.Tensor3D {
  const E = stddev.size;
  const values = new Float32Array(draws.length * T * E);
  for (const [i, { tokens, noise }] of draws.entries())
    values.set(
      gaussianNoise<tf.Tensor2D>([tokens, E], stddev, noise).dataSync<'float32'>(),
      i * T * E,
    );
  return tf.tensor3d(values, [draws.length, T, E]);
}

/** Fills in Δ² of each pair, one draw of the noise for each of `draws`. */
export async function measure(
  draws: readonly Comparisons[],
  model: Pick<EncodingModel, 'representation' | 'vocabulary'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const asked = draws.filter(({ pairs }) => pairs.length > 0);
  asked.sort((a, b) => a.tokens - b.tokens);
  for (let from = 0, to = 0; from < asked.length; from = to) {
    signal?.throwIfAborted();
    let sentences = 0;
    for (; to < asked.length && (sentences === 0 || sentences < BATCH_SENTENCES); to++)
      sentences += asked[to]?.sentences.length ?? 0;
    measureBatch(asked.slice(from, to), model);
    await setImmediate();
  }
}

function measureBatch(
  draws: readonly Comparisons[],
  { representation, vocabulary }: Pick<EncodingModel, 'representation' | 'vocabulary'>,
): void {
  const sentences = draws.flatMap((draw) => draw.sentences); // V
  const lengths = Int32Array.from(sentences, ({ length }) => length);
  const T = draws.at(-1)?.tokens ?? 0;
  const drawOf = draws.flatMap((draw, i) => draw.sentences.map(() => i));
  let before = 0;
  const pairs: Pair[] = []; // P
  for (const draw of draws) {
    for (const { one, other, ...place } of draw.pairs)
      pairs.push({ one: before + one, other: before + other, ...place });
    before += draw.sentences.length;
  }
  const squared = tf.tidy(() => {
    const x = representation.embed(vocabulary, paddedIds(sentences, T), T); // [V, T, E]
    const noise = noiseOf(draws, T, representation.inputStddev()); // [draws, T, E]
    const noisy = x.add<tf.Tensor3D>(tf.gather(noise, tf.tensor1d(drawOf, 'int32')));
    const means = representation.mean(noisy, lengths); // [V, T, d]
    const side = (which: 'one' | 'other') =>
      tf.gather(
        means,
        tf.tensor1d(
          pairs.map((pair) => pair[which]),
          'int32',
        ),
      );
    const scaled = side('one').sub(side('other')).div(representation.outputStddev()); // [P, T, d]
    const mask = tokenMask(
      pairs.map(({ one }) => lengths[one] as number),
      T,
    );
    return scaled.square().mul(mask).sum<tf.Tensor1D>([1, 2]);
  });
  // Outside of tidy, which would look for tensors in every single number.
  const values = squared.dataSync<'float32'>();
  squared.dispose();
  for (const [i, place] of pairs.entries()) place.squared[place.at] = values[i] as number;
}
