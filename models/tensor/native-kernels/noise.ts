import { nativeFunction } from '../addon.js';
import { NORMAL_TABLE } from '../normal-table.js';
import type { StreamPosition } from '../philox.js';
import { dropThreshold } from '../reference/dropout-mask.js';
import { withSecureWords } from '../secure-words.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, nativeKernel } from './native-kernel.js';

/** Ops that draw from the training stream, and the noise of a release, which has no stream. */
export function noiseKernels(): tf.KernelConfig[] {
  const noise = nativeFunction('gaussianNoise');
  const gradient = nativeFunction('gaussianNoiseGradient');
  const dropout = nativeFunction('dropout');
  const addBoxMuller = nativeFunction('addBoxMuller');
  return [
    nativeKernel('GaussianNoise', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const stddev = backend.values(input(inputs, 'stddev'));
      const { info, values } = backend.output(x.shape);
      noise(backend.values(x), stddev, values, NORMAL_TABLE, ...positionOf(attributes));
      return info;
    }),
    nativeKernel('GaussianNoiseGrad', (backend, inputs, attributes) => {
      const dy = input(inputs, 'dy');
      const { info, values } = backend.output(dy.shape.slice(-1));
      gradient(backend.values(dy), values, NORMAL_TABLE, ...positionOf(attributes));
      return info;
    }),
    nativeKernel('Dropout', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const rate = attributes.rate as number;
      const { info, values } = backend.output(x.shape);
      const drawn = positionOf(attributes);
      dropout(backend.values(x), values, dropThreshold(rate), 1 / (1 - rate), ...drawn);
      return info;
    }),
    nativeKernel('SecureNoise', (backend, inputs) => {
      const x = backend.values(input(inputs, 'x'));
      const stddev = backend.values(input(inputs, 'stddev'));
      const { info, values } = backend.output(input(inputs, 'x').shape);
      withSecureWords(x.length, (words, from, to) => {
        addBoxMuller(words, x, stddev, values, from, to);
      });
      return info;
    }),
  ];
}

function positionOf(attributes: KernelAttributes): [number, number, number] {
  const { key, counter } = attributes.position as StreamPosition;
  return [key[0], key[1], counter];
}
