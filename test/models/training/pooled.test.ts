import { beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { trainingConfig } from '../../../models/training/config.js';
import type { VectorExample } from '../../../models/training/examples.js';
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
  ) {}

  async *read(epoch: number): AsyncGenerator<VectorExample> {
    this.given = 0;
    const order = Array.from({ length: this.sentences }, (_, i) => i);
    new Random(epoch).shuffle(order);
    for (const number of order) {
      this.given++;
      const vectors = new Random(number).normals(TOKENS * DIMENSION);
      const labels = Uint8Array.from([0, 1], (t) => Number(vectors[t * DIMENSION] > 0));
      yield { vectors, labels };
    }
  }
}

describe('training on a pool', () => {
  test('holds a bounded part of it, and trains on the same sentences in every epoch', async () => {
    const source = new Toy(5000);
    const perEpoch = new Map<string, number>();
    let ahead = 0;
    const { deidentifier, stage } = await trainPooled(source, scheme, config, {
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
    expect([...trained][0] / (5000 * TOKENS)).toBeCloseTo(0.8, 1);
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

  test('says that a snapshot has nothing to validate on', async () => {
    const huge = new Toy(40, 1e12);
    const answer = trainPooled(huge, scheme, config, { random: new Random(1) });
    await expect(answer).rejects.toEqual(expect.objectContaining({ code: 'corpus-invalid' }));
  });
});
