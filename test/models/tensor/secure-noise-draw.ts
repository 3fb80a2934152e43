import { useBackend } from '../../../models/tensor/backend.js';
import { addSecureNoise } from '../../../models/tensor/secure-noise.js';
import * as tf from '../../../models/tensor/tf.js';

/** What a release adds to six numbers, on the backend that the environment names. */
export async function draw(): Promise<number[]> {
  await useBackend();
  const noisy = addSecureNoise(tf.zeros([2, 3]), tf.ones([3]));
  return [...noisy.dataSync<'float32'>()];
}
