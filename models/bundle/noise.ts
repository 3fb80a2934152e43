import type { Representation } from '../networks/representation.js';
import * as tf from '../tensor/tf.js';
import { type Noise, type NoiseLevel, noiseLevel } from './manifest.js';

/** The noise that a representation adds, as a manifest states it. */
export function noiseOf(representation: Representation): Noise {
  return {
    inputStddev: levelOf(() => representation.inputStddev()),
    outputStddev: levelOf(() => representation.outputStddev()),
  };
}

function levelOf(stddev: () => tf.Tensor1D): NoiseLevel {
  const tensor = tf.tidy(stddev);
  try {
    return noiseLevel(tensor.dataSync<'float32'>());
  } finally {
    tensor.dispose();
  }
}
