import { afterEach, describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { precisionInUse, useBackend } from '../../../models/tensor/backend.js';
import * as tf from '../../../models/tensor/tf.js';

describe('useBackend', () => {
  const chosen = process.env.TACET_BACKEND;

  afterEach(() => {
    if (chosen === undefined) delete process.env.TACET_BACKEND;
    else process.env.TACET_BACKEND = chosen;
  });

  test('runs native unless the environment or the caller says otherwise', async () => {
    delete process.env.TACET_BACKEND;
    expect(await useBackend()).toBe('native');
    expect(tf.getBackend()).toBe('native');
    process.env.TACET_BACKEND = 'cpu';
    expect(await useBackend()).toBe('cpu');
    expect(await useBackend('native')).toBe('native');
    expect(tf.getBackend()).toBe('native');
  });

  test('an unknown name is a usage error that lists the names', async () => {
    await expect(useBackend('metal')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('native, cpu, tensorflow'),
    });
  });

  test('asking for tensorflow without its package says what to install', async () => {
    await expect(useBackend('tensorflow')).rejects.toMatchObject({
      code: 'backend-missing',
      message: expect.stringContaining('npm install @tensorflow/tfjs-node'),
    });
  });

  test('computes in bfloat16 only where the environment or the caller says so', async () => {
    const has = nativeFunction('hasBfloat16')() === 1;
    await useBackend('native');
    expect(precisionInUse()).toBe('float32');
    process.env.TACET_PRECISION = 'bfloat16';
    try {
      if (has) {
        await useBackend('native');
        expect(precisionInUse()).toBe('bfloat16');
      }
      await expect(useBackend('cpu')).rejects.toMatchObject({ code: 'backend-missing' });
      await useBackend('native', 'float32');
      expect(precisionInUse()).toBe('float32');
    } finally {
      delete process.env.TACET_PRECISION;
    }
    await expect(useBackend('native', 'half')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('float32, bfloat16'),
    });
  });

  test('moves tensors between backends', async () => {
    await useBackend('cpu');
    const tensor = tf.tensor1d([1, 2]);
    await useBackend('native');
    expect([...tensor.add(1).dataSync()]).toEqual([2, 3]);
    tensor.dispose();
  });
});
