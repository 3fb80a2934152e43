import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeBundle } from '../../../models/bundle/describe.js';
import {
  advantageLimits,
  negativeLogAffinity,
} from '../../../models/certification/unequal-noise.js';
import { release } from '../../../models/networks/release.js';
import { type NoiselessOutput, Representation } from '../../../models/networks/representation.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { addGaussianNoise } from '../../../models/tensor/gaussian-noise.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainCertified } from '../../../models/training/certified.js';
import { pairSource } from '../../../models/training/data/pairs.js';
import { createNetworks, trainThreePhase } from '../../../models/training/three-phase.js';
import { unequalNoiseLimit } from '../../../models/training/unequal-noise-limit.js';
import { DIMENSION, toyVocabulary } from '../training/toy-notes.js';
import { TOY_CONFIG, toyData, weightsOf } from '../training/toy-training.js';

beforeAll(() => useBackend());

const DEPENDENT = { ...TOY_CONFIG.representation, noise: 'dependent' } as const;
const CONFIG = { ...TOY_CONFIG, representation: DEPENDENT };

const DRAWS = 4000;

function repeated(ids: Int32Array): number[] {
  return Array.from({ length: DRAWS }, () => [...ids]).flat();
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
}

/** Its noise differs from token to token, as after training. */
function trainedRepresentation(): Representation {
  const config = { ...DEPENDENT, embeddingDimension: DIMENSION };
  const representation = Representation.create(config, new Random(1));
  const weights = representation.parameters.toArrays();
  const kernel = weights['noise/output/kernel'].data;
  kernel.set(new Random(2).normals(kernel.length));
  representation.parameters.load(weights);
  return representation;
}

describe('noise that depends on the input', () => {
  const inputs = trainedRepresentation().inputDimension;
  const x = (seed: number) => tf.tensor3d(new Random(seed).normals(4 * inputs), [1, 4, inputs]);
  const lengths = Int32Array.of(4);

  test('is the same everywhere before training, and differs after it', () => {
    const config = { ...DEPENDENT, embeddingDimension: DIMENSION };
    const fresh = Representation.create(config, new Random(1)).output(x(1), lengths).stddev;
    expect(new Set(fresh.dataSync<'float32'>()).size).toBe(1);
    expect(fresh.dataSync<'float32'>()[0]).toBeCloseTo(DEPENDENT.initialOutputStddev, 5);
    const trained = trainedRepresentation().output(x(1), lengths).stddev;
    expect(trained.shape).toEqual([1, 4, DEPENDENT.dimension]);
    expect(Math.min(...trained.dataSync<'float32'>())).toBeGreaterThanOrEqual(0.01);
    expect(new Set(trained.dataSync<'float32'>()).size).toBeGreaterThan(15);
  });

  test('is what a release adds', () => {
    const representation = trainedRepresentation();
    const vocabulary = toyVocabulary();
    const ids = Int32Array.of(vocabulary.idOf('patient'), vocabulary.idOf('berta'));
    const releases = release(representation, vocabulary, Array(DRAWS).fill(ids));
    const x = representation.embed(vocabulary, Int32Array.from(repeated(ids)), 2); // [DRAWS, 2, E]
    const noisy = addGaussianNoise(x, representation.inputStddev(), new Random(3)) as tf.Tensor3D;
    const { mean, stddev } = representation.output(noisy, new Int32Array(DRAWS).fill(2));
    const [means, deviations] = [mean, stddev].map((each) => each.dataSync<'float32'>());
    const width = 2 * DEPENDENT.dimension;
    for (let i = 0; i < width; i++) {
      const own = (values: ArrayLike<number>) =>
        Array.from({ length: DRAWS }, (_, draw) => values[draw * width + i]);
      const squares = own(deviations).map((each) => each * each);
      // Of all releases together: how far f moves with the input noise, and what is added to it.
      const expected = variance(own(means)) + squares.reduce((a, b) => a + b, 0) / DRAWS;
      const found = variance(releases.map((vectors) => vectors[i]));
      expect(found / expected).toBeGreaterThan(0.8);
      expect(found / expected).toBeLessThan(1.25);
    }
  });

  test('has no standard deviation a dimension, and no bundle', () => {
    const representation = trainedRepresentation();
    expect(() => representation.outputStddev()).toThrow(/^not certified: /);
    const scheme = loadLabelScheme('synthetic');
    const { embeddings } = toyVocabulary();
    const publication = {
      ...{ name: 'none', version: '1.0.0', scheme, embeddings, embeddingsName: 'toy' },
      ...{ training: {}, scores: {} },
    };
    expect(() => describeBundle({ representation }, publication)).toThrow(
      expect.objectContaining({ code: 'not-certified' }),
    );
  });

  test('has a limit that is never under a half, of one document too, or of several of one origin', async () => {
    const { validation, candidates, vocabulary } = await toyData();
    const alone = validation.map((example) => ({ ...example, documentIndex: 0 }));
    const source = pairSource(alone, candidates);
    const representation = trainedRepresentation();
    const { value, interval } = unequalNoiseLimit(
      ...([representation, vocabulary, source, new Random(1)] as const),
    );
    expect(value).toBeGreaterThan(0.5);
    expect(interval).toEqual([0.5, 1]);
    const several = pairSource(validation, candidates);
    const onePatient = new Map(validation.map(({ documentIndex }) => [documentIndex, 0]));
    const limitBy = (origins?: ReadonlyMap<number, number>) =>
      unequalNoiseLimit(representation, vocabulary, several, new Random(1), origins);
    expect(limitBy(onePatient)).toEqual({ ...limitBy(), interval, corrected: interval });
    representation.dispose();
  });

  test('trains in three phases and on the limit, which falls', async () => {
    const data = await toyData();
    const random = new Random(3);
    const { stages, ...networks } = await trainThreePhase(data, CONFIG, { random });
    const before = networks.representation.parameters.toArrays()['noise/output/kernel'].data;
    expect(before.some((value) => value !== 0)).toBe(true);
    const certified = { ...CONFIG.certified, maxEpochs: 6, patience: 6, lambda: 1 };
    const first = await limitAfter({ ...certified, maxEpochs: 1 });
    const last = await limitAfter(certified);
    expect(stages.P3.best?.monitor).toBeGreaterThan(0);
    expect(last).toBeLessThan(first - 0.03);

    async function limitAfter(limits: typeof certified): Promise<number> {
      const fresh = createNetworks(data, CONFIG, new Random(4));
      const config = { ...CONFIG, certified: limits };
      const { best } = await trainCertified(fresh, data, config, { random: new Random(5) });
      return best?.advantage ?? Number.NaN;
    }
  });

  test('ends with the same weights for the same seed', async () => {
    const run = async () => {
      const { stages, ...networks } = await trainThreePhase(await toyData(), CONFIG, {
        random: new Random(6),
      });
      return weightsOf({ ...networks });
    };
    expect(await run()).toEqual(await run());
  });
});

describe('the limit for unequal noise', () => {
  /** Two sentences of one token and one dimension, whatever is asked of them. */
  const limitOf = (own: [number, number], other: [number, number]) => {
    const output = ([mean, stddev]: [number, number]): NoiselessOutput => ({
      mean: tf.tensor3d([mean], [1, 1, 1]),
      stddev: tf.tensor3d([stddev], [1, 1, 1]),
    });
    const sides = [output(own), output(other)];
    const fixed = {
      output: () => sides.shift() as NoiselessOutput,
      inputStddev: () => tf.ones([1]),
    };
    const zeros = tf.zeros([1, 1, 1]) as tf.Tensor3D;
    const divergence = negativeLogAffinity(
      fixed as unknown as Representation,
      zeros,
      zeros,
      Int32Array.of(1),
      new Random(1),
    );
    return advantageLimits(divergence).dataSync<'float32'>()[0];
  };
  const density = (at: number, [mean, stddev]: [number, number]) =>
    Math.exp(-0.5 * ((at - mean) / stddev) ** 2) / (stddev * Math.sqrt(2 * Math.PI));
  const totalVariation = (own: [number, number], other: [number, number]) => {
    const step = 1e-3;
    let sum = 0;
    for (let at = -30; at < 30; at += step)
      sum += Math.abs(density(at, own) - density(at, other)) * step;
    return sum / 2;
  };
  const divergence = ([m, s]: [number, number], [n, t]: [number, number]) =>
    Math.log(t / s) + (s * s + (m - n) ** 2) / (2 * t * t) - 0.5;

  const pairs: [[number, number], [number, number]][] = [
    [
      [0, 1],
      [0.1, 1],
    ],
    [
      [0, 1],
      [2, 1],
    ],
    [
      [0, 1],
      [0, 1.5],
    ],
    [
      [0, 0.5],
      [1, 2],
    ],
    [
      [0, 3],
      [0.5, 0.4],
    ],
  ];
  test.each(pairs)(
    'of %p and %p is over the total variation and under that of KL',
    (own, other) => {
      const limit = limitOf(own, other);
      const kl = Math.min(divergence(own, other), divergence(other, own));
      expect(limit).toBeGreaterThanOrEqual(totalVariation(own, other));
      expect(limit).toBeLessThanOrEqual(Math.sqrt(1 - Math.exp(-kl)) + 1e-4);
    },
  );
});
