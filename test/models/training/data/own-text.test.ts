import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deidentifier } from '../../../../models/networks/deidentifier.js';
import { Representation } from '../../../../models/networks/representation.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { scoped } from '../../../../models/tensor/scoped.js';
import * as tf from '../../../../models/tensor/tf.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import type {
  PartlyReadExample,
  VectorExample,
} from '../../../../models/training/data/examples.js';
import { besideWords } from '../../../../models/training/data/own-text.js';
import { trainPooledWithText, type VectorSource } from '../../../../models/training/pooled.js';
import { DIMENSION, LABELS, toyExamples, toyVocabulary } from '../toy-notes.js';
import { TOY_CONFIG } from '../toy-training.js';

beforeAll(() => useBackend());

const D = 4;
const REPRESENTATION = {
  ...{ embeddingDimension: DIMENSION, units: 6, dimension: D },
  ...{ initialInputStddev: 0.05, initialOutputStddev: 0.05 },
};

describe('vectors beside words of one’s own text', () => {
  const released = async (seed: number) => {
    const vocabulary = toyVocabulary();
    const examples = toyExamples(vocabulary, 150, 1);
    const representation = Representation.create(REPRESENTATION, new Random(2));
    const draws = new Random(seed);
    const found = await besideWords(examples, representation, vocabulary, draws, {});
    const exact = examples.map(({ ids }) =>
      scoped(() => {
        const x = representation.embed(vocabulary, ids, ids.length);
        return representation.noiseless(x, Int32Array.of(ids.length)).dataSync<'float32'>();
      }),
    );
    representation.dispose();
    return { examples, found, exact };
  };

  test('are of the sentence that they stand beside, with noise', async () => {
    const { examples, found, exact } = await released(3);
    expect(found.map(({ ids }) => ids)).toEqual(examples.map(({ ids }) => ids));
    expect(found.map(({ labels }) => labels)).toEqual(examples.map(({ labels }) => labels));
    let sum = 0;
    let count = 0;
    found.forEach(({ vectors }, i) => {
      expect(vectors).toHaveLength(exact[i].length);
      vectors.forEach((value, k) => {
        sum += (value - exact[i][k]) ** 2;
        count++;
      });
    });
    expect(Math.sqrt(sum / count)).toBeGreaterThan(0.03);
    expect(Math.sqrt(sum / count)).toBeLessThan(0.15);
  });

  test('follow from the seed, so that a run which goes on reads what it read', async () => {
    const [first, again, other] = [await released(3), await released(3), await released(4)];
    expect(again.found).toEqual(first.found);
    expect(other.found).not.toEqual(first.found);
  });
});

describe('training on a pool and on text of one’s own', () => {
  const config = {
    ...{ ...TOY_CONFIG, seed: 1, validationShare: 0.2 },
    learner: { ...TOY_CONFIG.learner, learningRate: 0.02 },
    supervised: { maxEpochs: 12, patience: 12 },
  };
  const scheme = { labels: Array.from({ length: LABELS }, String) } as unknown as LabelScheme;

  /** Vectors that tell the label of each token, as releases should. */
  const telling = (labels: Uint8Array): VectorExample => {
    const vectors = new Float32Array(labels.length * LABELS);
    labels.forEach((label, t) => {
      vectors[t * LABELS + label] = 1;
    });
    return { vectors, labels };
  };

  test('learns each sentence of either once an epoch, and finds PHI in both', async () => {
    const vocabulary = toyVocabulary();
    const own = (count: number, seed: number): PartlyReadExample[] =>
      toyExamples(vocabulary, count, seed).map(({ ids, labels }) => ({
        ...{ ids, labels, vectors: new Float32Array(labels.length * LABELS) },
      }));
    // Sentences with a number of their own, since the pool parts them by their vectors.
    const others = toyExamples(vocabulary, 120, 3).map(({ labels }, i) => {
      const { vectors } = telling(labels);
      vectors[0] += i * 1e-4;
      return { vectors, labels };
    });
    const source: VectorSource = {
      ...{ dimension: LABELS, sentences: others.length },
      tokens: others.reduce((sum, { labels }) => sum + labels.length, 0),
      async *read() {
        yield* others;
      },
    };
    const text = { train: own(120, 1), validation: own(30, 2) };
    const perEpoch = new Map<string, number>();
    const { deidentifier } = await trainPooledWithText(
      ...([source, text, vocabulary, scheme, config] as const),
      { random: new Random(1), progress: ({ step, done = 0 }) => perEpoch.set(step, done) },
    );
    const ownTokens = text.train.reduce((sum, { labels }) => sum + labels.length, 0);
    const [tokens] = new Set(perEpoch.values());
    expect(new Set(perEpoch.values()).size).toBe(1);
    expect(((tokens as number) - ownTokens) / source.tokens).toBeCloseTo(0.8, 1);
    const unknown = own(60, 5).map(({ labels }) => telling(labels));
    expect(right(deidentifier, own(60, 4))).toBeGreaterThan(0.9);
    expect(right(deidentifier, unknown)).toBeGreaterThan(0.9);
    deidentifier.dispose();

    /** Share of tokens with the right label. */
    function right(network: Deidentifier, examples: readonly PartlyReadExample[]): number {
      let [hits, all] = [0, 0];
      for (const { vectors, labels, ids = new Int32Array(labels.length).fill(-1) } of examples) {
        const found = scoped(() => {
          const releases = tf.tensor3d(vectors, [1, labels.length, LABELS]);
          const inputs = network.beside(releases, vocabulary, ids);
          const lengths = Int32Array.of(labels.length);
          return network.decode(network.emissions(inputs, lengths), lengths);
        });
        labels.forEach((label, t) => {
          all += 1;
          hits += Number(found[t] === label);
        });
      }
      return hits / all;
    }
  });
});
