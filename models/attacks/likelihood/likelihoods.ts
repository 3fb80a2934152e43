import { squaredLengths } from '../../certification/squared-distances.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { View } from '../../networks/view.js';
import { logMeanExp } from '../../statistics/log-mean-exp.js';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import { type Window, wholeOf } from './window.js';
import { WindowMeans } from './window-means.js';

/** How likely K releases are under each of V hypotheses, by default one for each sentence. */
export interface Likelihoods {
  /** log p(release k | hypothesis v) up to a constant, [V·K]: log-mean-exp over input noise. */
  readonly monteCarlo: Float64Array;
  /** The same, [V·K], as if f(x + n) were Gaussian with the mean and variance of its draws. */
  readonly matched: Float64Array;
  /** Δ(n)² between each sentence, or window, and the first, [sentences][draws]. */
  readonly distances: readonly Float32Array[];
}

/** Tokens that pass through the representation at once. */
const CHUNK_TOKENS = 4096;

/** Distances to releases that are kept at once of one draw, if one hypothesis has no more. */
const CHUNK_DISTANCES = 2 ** 22;

/**
 * Scores sentences by the published noise: whoever holds the bundle can compute f and knows both
 * standard deviations. All sentences share the draws of the input noise, so that what differs
 * between their scores is the sentence. `releases` is [K, T·d]. A hypothesis may be `ways` sentences in turn,
 * one as likely as the other.
 */
export function likelihoods(
  view: View,
  vocabulary: Vocabulary,
  sentences: readonly Int32Array[],
  releases: tf.Tensor2D,
  draws: number,
  random: Random,
  ways = 1,
): Likelihoods {
  const windows = sentences.map(wholeOf);
  return windowLikelihoods(view, vocabulary, windows, releases, draws, random, ways);
}

/** The same of hypotheses that are windows of T tokens each, in sentences of any length. */
export function windowLikelihoods(
  view: View,
  vocabulary: Vocabulary,
  windows: readonly Window[],
  releases: tf.Tensor2D,
  draws: number,
  random: Random,
  ways = 1,
): Likelihoods {
  const T = windows[0].end - windows[0].start;
  const steps = windows.reduce((most, { ids }) => Math.max(most, ids.length), 0);
  const V = windows.length / ways;
  const K = releases.shape[0];
  const monteCarlo = new Float64Array(V * K);
  const matched = new Float64Array(V * K);
  const distances = windows.map(() => new Float32Array(draws));
  const f = new WindowMeans(view, vocabulary, windows, draws, random);
  const most = Math.min(CHUNK_TOKENS / steps, CHUNK_DISTANCES / K);
  const rows = ways * Math.max(1, Math.floor(most / ways));
  tf.tidy(() => {
    const inverse = tf.div(1, view.outputStddev().tile([T])) as tf.Tensor1D; // [T·d]
    const meansOf = (some: readonly Window[], draw: number) =>
      f.under(draw, some).mul<tf.Tensor2D>(inverse); // in units of the noise
    // Float32 tells vectors far from zero apart less well than it tells their small differences.
    const centre = meansOf(windows.slice(0, 1), 0); // [1, T·d]
    const observed = releases.mul(inverse).sub<tf.Tensor2D>(centre); // [K, T·d]
    const firsts: tf.Tensor1D[] = [];
    try {
      for (let from = 0; from < windows.length; from += rows) {
        const chunk = windows.slice(from, from + rows);
        tf.tidy(() => {
          const moments = new Moments(chunk.length / ways, observed, ways);
          for (let draw = 0; draw < draws; draw++) {
            const means = meansOf(chunk, draw).sub<tf.Tensor2D>(centre);
            if (from === 0) firsts.push(tf.keep(means.slice([0, 0], [1, -1]).reshape([-1])));
            const apart = squaredLengths(means.sub(firsts[draw])).dataSync<'float32'>();
            apart.forEach((value, row) => {
              distances[from + row][draw] = value;
            });
            moments.add(means);
          }
          monteCarlo.set(moments.monteCarlo(), (from / ways) * K);
          matched.set(moments.matched(), (from / ways) * K);
        });
      }
    } finally {
      tf.dispose(firsts);
    }
  });
  return { monteCarlo, matched, distances };
}

/** Gathers what the draws of f(x + n) say of K releases, for some hypotheses. */
class Moments {
  readonly #squaredDistances: Float32Array[] = [];
  #sum: tf.Tensor2D;
  #squares: tf.Tensor2D;

  /** `observed` [K, D] in units of the output noise, with the same origin as the `means` that are added. */
  constructor(
    private readonly hypotheses: number,
    private readonly observed: tf.Tensor2D,
    private readonly ways: number,
  ) {
    this.#sum = tf.zeros([hypotheses, observed.shape[1]]);
    this.#squares = tf.zeros([hypotheses, observed.shape[1]]);
  }

  /** `means` [V·ways, D] of one draw. */
  add(means: tf.Tensor2D): void {
    const squared = scoped(() =>
      tf
        .matMul(means, this.observed, false, true)
        .mul(-2)
        .add(means.square().sum(1, true))
        .add(this.observed.square().sum(1))
        .dataSync<'float32'>(),
    );
    this.#squaredDistances.push(squared);
    this.#sum = this.#sum.add(this.#overWays(means));
    this.#squares = this.#squares.add(this.#overWays(means.square()));
  }

  /** [V·ways, D] summed to [V, D]. */
  #overWays(values: tf.Tensor2D): tf.Tensor2D {
    if (this.ways === 1) return values;
    return values.reshape([this.hypotheses, this.ways, -1]).sum(1);
  }

  /** [V·K] */
  monteCarlo(): Float64Array {
    const { ways } = this;
    const K = this.observed.shape[0];
    const scores = new Float64Array(this.hypotheses * K);
    const exponents = new Float64Array(ways * this.#squaredDistances.length);
    return scores.map((_, i) => {
      const first = ways * (i - (i % K)) + (i % K);
      this.#squaredDistances.forEach((squared, draw) => {
        for (let way = 0; way < ways; way++)
          exponents[draw * ways + way] = -squared[first + way * K] / 2;
      });
      return logMeanExp(exponents);
    });
  }

  /** [V·K] */
  matched(): Float64Array {
    const draws = this.ways * this.#squaredDistances.length;
    const mean = this.#sum.div<tf.Tensor2D>(draws);
    const spread = this.#squares.div(draws).sub(mean.square()).maximum(0);
    const variance = spread.mul(draws / Math.max(1, draws - 1)).add<tf.Tensor2D>(1);
    const weighted = mean.div<tf.Tensor2D>(variance);
    const constant = mean.mul(weighted).add(tf.log(variance)).sum(1, true);
    const scores = tf
      .matMul(tf.div(1, variance) as tf.Tensor2D, this.observed.square(), false, true)
      .sub(tf.matMul(weighted, this.observed, false, true).mul(2))
      .add(constant)
      .mul(-0.5);
    return Float64Array.from(scores.dataSync<'float32'>());
  }
}
