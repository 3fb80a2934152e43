import { TacetError } from '../../proto/errors.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { rowVector } from './embeddings.js';
import type { Vocabulary } from './vocabulary.js';

/** Rounds at most; on word vectors few words still change their cluster after as many. */
const MOST_ROUNDS = 25;
/** Vectors whose similarities are in memory at a time. */
const CHUNK = 4096;

/** Which of K groups of like vectors each word is in. */
export class WordClusters {
  readonly #of = new Map<number, number>();

  private constructor(
    private readonly vocabulary: Vocabulary,
    /** [K, E], unit vectors. */
    private readonly centroids: Float32Array,
  ) {}

  /**
   * `count` clusters of the public vectors of the given words, the same for the same words in the same
   * order and the same `random`. Throws `config-invalid` where there are fewer words than clusters.
   */
  static find(
    vocabulary: Vocabulary,
    ids: Iterable<number>,
    count: number,
    random: Random,
  ): WordClusters {
    const words = [...new Set(ids)];
    if (words.length < count)
      throw new TacetError(
        'config-invalid',
        `general.clusters is ${count}, but the text to train on has ${words.length} words that ` +
          'clusters can be made of; ask for fewer clusters',
      );
    const { dimension } = vocabulary;
    const vectors = unitVectors(vocabulary, words);
    return new WordClusters(vocabulary, sphericalKMeans(vectors, dimension, count, random));
  }

  /** K */
  get count(): number {
    return this.centroids.length / this.vocabulary.dimension;
  }

  /** The clusters of words [N], from 0 to K − 1, by their nearest centroids: of those that were clustered and of any other. */
  of(ids: Int32Array): Int32Array {
    const unknown = [...new Set(ids)].filter((id) => !this.#of.has(id));
    if (unknown.length > 0) {
      const { dimension } = this.vocabulary;
      const found = nearest(unitVectors(this.vocabulary, unknown), this.centroids, dimension);
      for (const [i, id] of unknown.entries()) this.#of.set(id, found[i] as number);
    }
    return ids.map((id) => this.#of.get(id) as number);
  }
}

/**
 * The centroids [K, E] of k-means by cosine (Dhillon and Modha 2001, section 3) of unit vectors [N, E],
 * from centroids that are drawn as in k-means++ (Arthur and Vassilvitskii 2007, section 2.2).
 */
function sphericalKMeans(
  vectors: Float32Array,
  dimension: number,
  count: number,
  random: Random,
): Float32Array {
  let centroids = spreadCentroids(vectors, dimension, count, random);
  let before: Int32Array | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const clusters = nearest(vectors, centroids, dimension);
    if (before?.every((cluster, i) => cluster === clusters[i])) break;
    centroids = meanDirections(vectors, clusters, centroids, dimension);
    before = clusters;
  }
  return centroids;
}

/** Each next one is drawn with a probability in proportion to 1 − its greatest cosine to those before. */
function spreadCentroids(
  vectors: Float32Array,
  dimension: number,
  count: number,
  random: Random,
): Float32Array {
  const size = vectors.length / dimension;
  const centroids = new Float32Array(count * dimension);
  const apart = new Float64Array(size).fill(2);
  let chosen = random.integer(size);
  for (let k = 0; k < count; k++) {
    if (k > 0) chosen = drawByWeight(apart, random);
    const centroid = rowVector(vectors, dimension, chosen);
    centroids.set(centroid, k * dimension);
    for (let i = 0; i < size; i++) {
      const distance = Math.max(0, 1 - dot(centroid, rowVector(vectors, dimension, i)));
      if (distance < (apart[i] as number)) apart[i] = distance;
    }
    apart[chosen] = 0;
  }
  return centroids;
}

/** The last one where rounding leaves none, or where every weight is 0. */
function drawByWeight(weights: Float64Array, random: Random): number {
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return found < 0 ? weights.length - 1 : found;
}

/** The centroid of greatest cosine for each of vectors [N, E], [N]. */
function nearest(vectors: Float32Array, centroids: Float32Array, dimension: number): Int32Array {
  const size = vectors.length / dimension;
  const count = centroids.length / dimension;
  const clusters = new Int32Array(size);
  for (let from = 0; from < size; from += CHUNK) {
    const to = Math.min(size, from + CHUNK);
    // Nothing is returned: of an array, tidy would look at every number.
    tf.tidy(() => {
      const rows = vectors.slice(from * dimension, to * dimension);
      const cosines = tf
        .matMul(
          tf.tensor2d(rows, [to - from, dimension]),
          tf.tensor2d(centroids, [count, dimension]),
          false,
          true,
        )
        .dataSync<'float32'>(); // [N, K]
      for (let i = from; i < to; i++)
        clusters[i] = greatest(cosines.subarray((i - from) * count, (i - from + 1) * count));
    });
  }
  return clusters;
}

function greatest(values: Float32Array): number {
  let best = 0;
  for (let k = 1; k < values.length; k++)
    if ((values[k] as number) > (values[best] as number)) best = k;
  return best;
}

/** A cluster that has become empty keeps its centroid. */
function meanDirections(
  vectors: Float32Array,
  clusters: Int32Array,
  before: Float32Array,
  dimension: number,
): Float32Array {
  const sums = new Float64Array(before.length);
  clusters.forEach((cluster, i) => {
    for (let e = 0; e < dimension; e++)
      sums[cluster * dimension + e] += vectors[i * dimension + e] as number;
  });
  const centroids = Float32Array.from(sums);
  for (let k = 0; k < before.length / dimension; k++) {
    const centroid = rowVector(centroids, dimension, k);
    if (centroid.every((value) => value === 0)) centroid.set(rowVector(before, dimension, k));
    else scaleToUnit(centroid);
  }
  return centroids;
}

/** The public vectors of words scaled to length 1, [N, E]; a zero vector stays zero. */
function unitVectors(vocabulary: Vocabulary, ids: readonly number[]): Float32Array {
  const { dimension } = vocabulary;
  const table = vocabulary.vectors();
  const vectors = new Float32Array(ids.length * dimension);
  for (const [i, id] of ids.entries()) {
    vectors.set(rowVector(table, dimension, id), i * dimension);
    scaleToUnit(rowVector(vectors, dimension, i));
  }
  return vectors;
}

function scaleToUnit(vector: Float32Array): void {
  const norm = Math.sqrt(dot(vector, vector));
  if (norm === 0) return;
  for (let e = 0; e < vector.length; e++) vector[e] = (vector[e] as number) / norm;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let e = 0; e < a.length; e++) sum += (a[e] as number) * (b[e] as number);
  return sum;
}
