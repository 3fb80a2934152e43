import { nativeFunction } from '../addon.js';
import type * as tf from '../tf.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

/** Ops on each vector of the last axis. */
export function rowKernels(): tf.KernelConfig[] {
  const softmax = nativeFunction('softmax');
  const normalise = nativeFunction('l2Normalise');
  const gradient = nativeFunction('l2NormaliseGradient');
  return [
    nativeKernel('Softmax', (backend, inputs) => {
      const logits = input(inputs, 'logits');
      if (!areFloats(logits)) return undefined;
      const { info, values } = backend.output(logits.shape);
      softmax(backend.values(logits), values, lastOf(logits), false);
      return info;
    }),
    nativeKernel('L2Normalise', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const { info, values } = backend.output(x.shape);
      normalise(backend.values(x), values, lastOf(x), attributes.least as number);
      return info;
    }),
    nativeKernel('L2NormaliseGrad', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const dy = backend.values(input(inputs, 'dy'));
      const { info, values } = backend.output(x.shape);
      gradient(dy, backend.values(x), values, lastOf(x), attributes.least as number);
      return info;
    }),
  ];
}

function lastOf(info: tf.TensorInfo): number {
  return info.shape[info.shape.length - 1] as number;
}
