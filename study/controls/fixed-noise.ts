/**
 * One fixed σ for all dimensions of the word vectors, scaled up until it fails (Friedrich et al. 2019, section 5.2, a
 * preliminary experiment there): how much noise it takes until a PHI word's vector is nearest to another word, and what
 * a de-identifier that learns from such vectors still finds.
 */
import { rowVector } from '../../models/embeddings/embeddings.js';
import { nearestRows } from '../../models/embeddings/neighbours.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Tagger } from '../../models/networks/tagger.js';
import { meanOf } from '../../models/statistics/mean-of.js';
import { ZERO_ROW } from '../../models/tensor/embedding.js';
import type { Random } from '../../models/tensor/random.js';
import { copyRows } from '../../models/tensor/row-copies.js';
import * as tf from '../../models/tensor/tf.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import type { TextExample, VectorExample } from '../../models/training/data/examples.js';
import { examplesOfEpoch } from '../../models/training/data/turns.js';
import { type PreparedNotes, phiWords } from '../../models/training/recipes.js';
import { inMemory, trainOnVectors } from '../../models/training/supervised.js';
import { type DeidentifierScores, deidentifierScores } from '../runs/deidentifier-scores.js';
import type { Material, Work } from '../runs/subject.js';

export interface FixedNoiseOptions {
  /** σ in units of the standard deviation of the numbers of the embedding matrix. */
  readonly factors: readonly number[];
  /** PHI words whose neighbours are looked at, at most. */
  readonly words: number;
  readonly config: TrainingConfig;
}

export interface FixedNoiseResult {
  readonly factor: number;
  readonly stddev: number;
  readonly words: number;
  /** Share of noisy vectors of PHI words to which the word itself is nearest, by cosine, or among the ten nearest. */
  readonly nearest: number;
  readonly amongTen: number;
  /** Cosine of a noisy vector and the word's own, in the mean. */
  readonly cosine: number;
  /** A de-identifier that learned from one noisy copy of each sentence, on notes as they are. */
  readonly scores: DeidentifierScores;
  readonly epochs: number;
}

const AMONG = 10;

/**
 * For each factor in turn; `random` draws words and noise. Of copies that take turns it has as many as an epoch of a
 * training has.
 */
export async function* fixedNoise(
  notes: PreparedNotes,
  { embeddings, scheme, heldOut }: Pick<Material, 'embeddings' | 'scheme' | 'heldOut'>,
  { factors, words, config }: FixedNoiseOptions,
  random: Random,
  work: Work,
): AsyncGenerator<FixedNoiseResult> {
  const { vocabulary, validation } = notes;
  const train = examplesOfEpoch(notes, 1);
  const unit = standardDeviation(embeddings.matrix);
  const inMatrix = [...phiWords(train)].filter(
    (id) => vocabulary.rowOf(id) >= 0 && !vocabulary.isDigits(id),
  );
  const chosen = uniqueRows(inMatrix, vocabulary);
  random.fork('words').shuffle(chosen);
  const ids = chosen.slice(0, words);
  for (const factor of factors) {
    const stddev = factor * unit;
    const noise = random.fork(`factor ${factor}`);
    const near = await neighbourhood(ids, vocabulary, stddev, noise.fork('words'), work);
    const noisy = (examples: readonly TextExample[]) =>
      examples.map((example) => noisyVectors(example, vocabulary, stddev, noise));
    const parts = { train: noisy(train), validation: noisy(validation) };
    const { deidentifier, stage } = await trainOnVectors(
      inMemory(parts, config.batchSentences),
      vocabulary.dimension,
      scheme.labels.length,
      config,
      { ...work, random: noise.fork('training') },
    );
    try {
      const tagger: Tagger = { deidentifier, vocabulary, scheme, representation: WORD_VECTORS };
      const scores = await deidentifierScores(tagger, heldOut, work);
      yield { factor, stddev, words: ids.length, ...near, scores, epochs: stage.epochs };
    } finally {
      deidentifier.dispose();
    }
  }
}

/** The word vectors themselves, as a tagger reads a representation; zeros where a model would train one. */
const WORD_VECTORS: NonNullable<Tagger['representation']> = {
  embed(words, ids, steps) {
    const { dimension } = words;
    const values = new Float32Array(ids.length * dimension);
    const rows = ids.map((id) => (id < 0 ? ZERO_ROW : words.place(id)));
    copyRows(words.matrix, words.composed(), rows, values, dimension);
    return tf.tensor3d(values, [ids.length / steps, steps, dimension]);
  },
  noiseless: (x) => x,
};

async function neighbourhood(
  ids: readonly number[],
  vocabulary: Vocabulary,
  stddev: number,
  random: Random,
  work: Work,
) {
  const { dimension, embeddings } = vocabulary;
  const vectors = vocabulary.vectors();
  const own = ids.map((id) => rowVector(vectors, dimension, id));
  const queries = new Float32Array(ids.length * dimension);
  own.forEach((vector, i) => {
    const noise = random.normals(dimension);
    for (let k = 0; k < dimension; k++)
      queries[i * dimension + k] = (vector[k] as number) + stddev * (noise[k] as number);
  });
  const ranks: number[] = [];
  for await (const { rows } of nearestRows(embeddings.matrix, queries, dimension, AMONG, work))
    ranks.push(rows.indexOf(vocabulary.rowOf(ids[ranks.length] as number)));
  return {
    nearest: meanOf(ranks.map((rank) => Number(rank === 0))),
    amongTen: meanOf(ranks.map((rank) => Number(rank >= 0))),
    cosine: meanOf(own.map((vector, i) => cosine(vector, queries.subarray(i * dimension)))),
  };
}

function noisyVectors(
  { ids, labels }: TextExample,
  vocabulary: Vocabulary,
  stddev: number,
  random: Random,
): VectorExample {
  const { dimension } = vocabulary;
  const all = vocabulary.vectors();
  const vectors = random.normals(ids.length * dimension).map((value) => stddev * value);
  ids.forEach((id, at) => {
    rowVector(all, dimension, id).forEach((value, k) => {
      vectors[at * dimension + k] += value;
    });
  });
  return { vectors, labels };
}

function uniqueRows(ids: readonly number[], vocabulary: Vocabulary): number[] {
  return [...new Map(ids.map((id) => [vocabulary.rowOf(id), id])).values()];
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  a.forEach((value, k) => {
    const other = b[k] as number;
    product += value * other;
    ofA += value * value;
    ofB += other * other;
  });
  return product / Math.sqrt(Math.max(ofA * ofB, 1e-24));
}

/** Of all numbers of a matrix. */
function standardDeviation(matrix: Float32Array): number {
  let [sum, squares] = [0, 0];
  for (const value of matrix) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / matrix.length;
  return Math.sqrt(squares / matrix.length - mean * mean);
}
