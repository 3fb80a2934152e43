import { nativeFunction } from '../addon.js';
import { NORMAL_TABLE } from '../normal-table.js';
import type { StreamPosition } from '../philox.js';
import { dropThreshold } from '../reference/dropout-mask.js';
import type { SecureSum } from '../secure-noise.js';
import { withSecureKey } from '../secure-stream.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, nativeKernel } from './native-kernel.js';

/** Ops that draw from the training stream, and the noise of a release, which has no stream. */
export function noiseKernels(): tf.KernelConfig[] {
  const noise = nativeFunction('gaussianNoise');
  const gradient = nativeFunction('gaussianNoiseGradient');
  const dropout = nativeFunction('dropout');
  const secureNoise = nativeFunction('secureNoise');
  return [
    nativeKernel('GaussianNoise', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const stddev = backend.values(input(inputs, 'stddev'));
      const { info, values } = backend.output(x.shape);
      const position = positionOf(attributes);
      noise({ x: backend.values(x), stddev, result: values, table: NORMAL_TABLE, position });
      return info;
    }),
    nativeKernel('GaussianNoiseGrad', (backend, inputs, attributes) => {
      const dy = input(inputs, 'dy');
      const { info, values } = backend.output(dy.shape.slice(-1));
      const position = positionOf(attributes);
      gradient({ dy: backend.values(dy), result: values, table: NORMAL_TABLE, position });
      return info;
    }),
    nativeKernel('Dropout', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const rate = attributes.rate as number;
      const { info, values } = backend.output(x.shape);
      dropout({
        x: backend.values(x),
        result: values,
        threshold: dropThreshold(rate),
        scale: 1 / (1 - rate),
        position: positionOf(attributes),
      });
      return info;
    }),
    nativeKernel('SecureNoise', (backend, inputs, attributes) => {
      const x = backend.values(input(inputs, 'x'));
      const stddev = backend.values(input(inputs, 'stddev'));
      const { info, values } = backend.output(input(inputs, 'x').shape);
      const sum = attributes.sum as SecureSum;
      sum.isFinite = withSecureKey((key) => secureNoise({ key, x, stddev, result: values }));
      return info;
    }),
  ];
}

function positionOf({ position }: KernelAttributes): StreamPosition {
  return position as StreamPosition;
}
