import { beforeAll, describe, expect, test } from '@jest/globals';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/configuration/config.js';
import { batchOf, paddedVectors, weightedTokens } from '../../../models/training/data/batch.js';
import { copyWeight } from '../../../models/training/data/copy-weight.js';
import type { VectorExample } from '../../../models/training/data/examples.js';
import { deidentifierLoss } from '../../../models/training/deidentifier-loss.js';
import { trainPooled, type VectorSource } from '../../../models/training/pooled.js';

const DIMENSION = 4;
const TOKENS = 2;
const BATCH = 32;
/** Batches that are gathered before they are cut by length. */
const GATHERED = 64;
const scheme = loadLabelScheme('hipaa-binary');
const config = trainingConfig({
  batchSentences: BATCH,
  validationShare: 0.2,
  supervised: { maxEpochs: 2, patience: 2 },
  deidentifier: { units: 4, layers: 1 },
});

beforeAll(() => useBackend());

/** Sentences whose labels follow from their vectors, in another order in each epoch. */
class Toy implements VectorSource {
  readonly dimension = DIMENSION;
  given = 0;

  constructor(
    readonly sentences: number,
    readonly tokens = sentences * TOKENS,
    readonly weight?: number,
  ) {}

  async *read(epoch: number): AsyncGenerator<VectorExample> {
    this.given = 0;
    const order = Array.from({ length: this.sentences }, (_, i) => i);
    new Random(epoch).shuffle(order);
    for (const number of order) {
      this.given++;
      const vectors = new Random(number).normals(TOKENS * DIMENSION);
      const labels = Uint8Array.from([0, 1], (t) => Number(vectors[t * DIMENSION] > 0));
      const { weight } = this;
      yield weight === undefined ? { vectors, labels } : { vectors, labels, weight };
    }
  }
}

describe('training on a pool', () => {
  test('holds a bounded part of it, and trains on the same sentences in every epoch', async () => {
    const source = new Toy(5000);
    const perEpoch = new Map<string, number>();
    let ahead = 0;
    const { deidentifier, stage, validation } = await trainPooled(source, scheme, config, {
      random: new Random(1),
      progress: ({ step, done = 0 }) => {
        perEpoch.set(step, done);
        ahead = Math.max(ahead, 0.8 * source.given - done / TOKENS);
      },
    });
    expect(stage.best?.monitor).toBeLessThan(0.65);
    expect(ahead).toBeLessThan(1.2 * GATHERED * BATCH);
    const trained = new Set(perEpoch.values());
    expect([perEpoch.size, trained.size]).toEqual([2, 1]);
    const [tokens = 0] = trained;
    expect(tokens / (5000 * TOKENS)).toBeCloseTo(0.8, 1);
    expect(validation).toHaveLength(5000 - tokens / TOKENS);
    deidentifier.dispose();
  });

  test.each([
    ['in its first epoch', 1, {}],
    ['in its second', 2, {}],
    ['once it has ended, while what validated it is read again', 3, { maxEpochs: 0 }],
  ])('leaves no network behind where the sentences break off %s', async (_, last, limits) => {
    const source = new Toy(200);
    const breaking = {
      ...{ dimension: source.dimension, sentences: 200, tokens: source.tokens },
      async *read(epoch: number) {
        for await (const example of source.read(epoch)) {
          if (epoch === last || last === 3) throw new Error('the pool is away');
          yield example;
        }
      },
    };
    const before = tf.memory().numTensors;
    const supervised = { ...config.supervised, ...limits };
    await expect(
      trainPooled(breaking, scheme, { ...config, supervised }, { random: new Random(1) }),
    ).rejects.toThrow('the pool is away');
    expect(tf.memory().numTensors).toBe(before);
  });

  test('trains a sequence-to-sequence de-identifier on released vectors alone, too', async () => {
    const { deidentifier, stage } = await trainPooled(
      new Toy(1000),
      scheme,
      trainingConfig({
        ...{ batchSentences: BATCH, supervised: { maxEpochs: 3, patience: 3 } },
        learner: { optimiser: 'adam', learningRate: 0.01, warmupSteps: 20 },
        deidentifier: { network: 'sequence-to-sequence', units: 8, layers: 1, outputDropout: 0 },
      }),
      { random: new Random(1) },
    );
    expect(stage.best?.monitor).toBeLessThan(0.5);
    expect(deidentifier.config).toMatchObject({ casing: false, characters: 'none' });
    deidentifier.dispose();
  });

  test('gives the same weights for the same seed', async () => {
    const weights = async (seed: number) => {
      const { deidentifier } = await trainPooled(
        new Toy(300),
        scheme,
        { ...config, seed },
        {
          random: new Random(seed),
        },
      );
      const arrays = Object.values(deidentifier.parameters.toArrays());
      deidentifier.dispose();
      return Buffer.concat(arrays.map(({ data }) => Buffer.from(data.buffer))).toString('hex');
    };
    const first = await weights(1);
    expect(await weights(1)).toBe(first);
    expect(await weights(2)).not.toBe(first);
  });

  test('counts copies of a sentence, each by its share, as often as the sentence once', async () => {
    const [plain, copied, ...others] = [1, 2, 3].map((seed): VectorExample => {
      const vectors = new Random(seed).normals(TOKENS * DIMENSION);
      return { vectors, labels: Uint8Array.from([0, seed === 1 ? 0 : 1]) };
    }) as [VectorExample, VectorExample, VectorExample];
    const weight = copyWeight(copied.labels, 3);
    expect([weight, copyWeight(plain.labels, 3)]).toEqual([1 / 3, 1]);
    const copies = Array.from({ length: 3 }, () => ({ ...copied, weight }));
    const deidentifier = Deidentifier.create(
      {
        ...config.deidentifier,
        inputDimension: DIMENSION,
        labels: scheme.labels.length,
        casing: false,
      },
      new Random(1),
    );
    /** The loss of all tokens together, and the gradient. */
    const lossOf = (examples: readonly VectorExample[]) => {
      const batch = batchOf(examples);
      const vectors = examples.map((each) => each.vectors);
      const shape: [number, number, number] = [examples.length, TOKENS, DIMENSION];
      return tf.tidy(() => {
        const x = tf.tensor3d(paddedVectors(vectors, TOKENS, DIMENSION), shape);
        const { value, grads } = tf.variableGrads(
          () => deidentifierLoss(deidentifier, x, batch).mul(batch.tokens),
          deidentifier.parameters.variables(),
        );
        const gradient = Object.values(grads).flatMap((each) => [...each.dataSync<'float32'>()]);
        return { loss: value.dataSync<'float32'>()[0], gradient, weighted: weightedTokens(batch) };
      });
    };
    const [once, thrice] = [
      lossOf([plain, copied, ...others]),
      lossOf([plain, ...copies, ...others]),
    ];
    expect(thrice.loss).toBeCloseTo(once.loss, 5);
    expect(thrice.weighted).toBeCloseTo(once.weighted, 5);
    for (const [i, value] of once.gradient.entries())
      expect(thrice.gradient[i]).toBeCloseTo(value, 5);
    deidentifier.dispose();
  });

  test('gives bit for bit the same weights where every sentence counts one', async () => {
    const weights = async (weight?: number) => {
      const source = new Toy(300, undefined, weight);
      const { deidentifier } = await trainPooled(source, scheme, config, { random: new Random(1) });
      const arrays = Object.values(deidentifier.parameters.toArrays());
      deidentifier.dispose();
      return Buffer.concat(arrays.map(({ data }) => Buffer.from(data.buffer))).toString('hex');
    };
    const plain = await weights();
    expect(await weights(1)).toBe(plain);
    expect(await weights(0.5)).not.toBe(plain);
  });

  test('says that a snapshot has nothing to validate on', async () => {
    const huge = new Toy(40, 1e12);
    const answer = trainPooled(huge, scheme, config, { random: new Random(1) });
    await expect(answer).rejects.toEqual(expect.objectContaining({ code: 'corpus-invalid' }));
  });
});
