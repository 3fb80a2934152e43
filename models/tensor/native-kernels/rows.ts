import { nativeFunction } from '../addon.js';
import type * as tf from '../tf.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

/** Ops on each vector of the last axis. */
export function rowKernels(): tf.KernelConfig[] {
  const softmax = nativeFunction('softmax');
  const loss = nativeFunction('softmaxLoss');
  const lossGradient = nativeFunction('softmaxLossGradient');
  const normalise = nativeFunction('l2Normalise');
  const gradient = nativeFunction('l2NormaliseGradient');
  return [
    nativeKernel('Softmax', (backend, inputs) => {
      const logits = input(inputs, 'logits');
      if (!areFloats(logits)) return undefined;
      const { info, values } = backend.output(logits.shape);
      softmax(backend.values(logits), values, lastOf(logits));
      return info;
    }),
    nativeKernel('SoftmaxLoss', (backend, inputs, attributes) => {
      const logits = input(inputs, 'logits');
      const labels = attributes.labels as Int32Array;
      const losses = backend.output([labels.length]);
      const logSums = backend.output([labels.length]);
      loss({
        x: backend.values(logits),
        labels,
        width: lastOf(logits),
        losses: losses.values,
        logSums: logSums.values,
      });
      return [losses.info, logSums.info];
    }),
    nativeKernel('SoftmaxLossGrad', (backend, inputs, attributes) => {
      const logits = input(inputs, 'logits');
      const { info, values } = backend.output(logits.shape);
      lossGradient({
        x: backend.values(logits),
        labels: attributes.labels as Int32Array,
        width: lastOf(logits),
        logSums: backend.values(input(inputs, 'logSums')),
        dy: backend.values(input(inputs, 'dy')),
        dx: values,
      });
      return info;
    }),
    nativeKernel('L2Normalise', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const { info, values } = backend.output(x.shape);
      const least = attributes.least as number;
      normalise({ x: backend.values(x), result: values, width: lastOf(x), least });
      return info;
    }),
    nativeKernel('L2NormaliseGrad', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const dy = backend.values(input(inputs, 'dy'));
      const { info, values } = backend.output(x.shape);
      const least = attributes.least as number;
      gradient({ x: backend.values(x), dy, dx: values, width: lastOf(x), least });
      return info;
    }),
  ];
}

function lastOf(info: tf.TensorInfo): number {
  return info.shape[info.shape.length - 1] as number;
}
