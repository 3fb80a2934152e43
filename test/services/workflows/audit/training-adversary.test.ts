import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { View } from '../../../../models/networks/view.js';
import { trainingConfig } from '../../../../models/training/configuration/config.js';
import { saveNetworks } from '../../../../models/training/run/trained-networks.js';
import { trainingAdversary } from '../../../../services/workflows/audit/training-adversary.js';

const VIEW = { inputDimension: 11, config: { dimension: 4 } } as Pick<
  View,
  'inputDimension' | 'config'
>;

describe('the adversary that an audit goes on from', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'tacet-training-adversary-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  test('is of the training run, and learns at the rate that it learned at there', async () => {
    const start = { kernel: { shape: [2], data: Float32Array.of(1, 2) } };
    const config = trainingConfig({ learner: { learningRate: 0.002 } }, 'this');
    const identity = { kind: 'adversarial', backend: 'native', scheme: 'ab', embeddings: 'cd' };
    await saveNetworks(root, {
      configs: { adversary: { units: 300, inputDimension: 11, dimension: 4 } },
      weights: { adversary: start },
    });
    await writeFile(
      path.join(root, 'config.json'),
      JSON.stringify({ ...identity, corpus: 'ef', ...config }),
    );
    expect(await trainingAdversary(root, VIEW)).toEqual({
      units: 300,
      learningRate: 0.002,
      start,
    });
  });

  test('is a fresh one at the rate of all judges where no run is given', async () => {
    const fresh = await trainingAdversary(undefined, VIEW);
    expect(fresh).toMatchObject({ learningRate: 0.001 });
    expect(fresh.start).toBeUndefined();
  });
});
