import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
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
      softmax(backend.values(logits), values, lastOf(logits), false);
      return info;
    }),
    nativeKernel('SoftmaxLoss', (backend, inputs, attributes) => {
      const logits = input(inputs, 'logits');
      const labels = attributes.labels as Int32Array;
      const [losses, logSums] = [0, 1].map(() => backend.output([labels.length])) as [Out, Out];
      const targets = [losses.values, logSums.values] as const;
      loss(backend.values(logits), labels, ...targets, lastOf(logits));
      return [losses.info, logSums.info];
    }),
    nativeKernel('SoftmaxLossGrad', (backend, inputs, attributes) => {
      const logits = input(inputs, 'logits');
      const [logSums, dy] = ['logSums', 'dy'].map((name) => backend.values(input(inputs, name)));
      const { info, values } = backend.output(logits.shape);
      const given = [attributes.labels as Int32Array, logSums as Float32Array, dy as Float32Array];
      lossGradient(backend.values(logits), ...given, values, lastOf(logits));
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

type Out = ReturnType<NativeBackend['output']>;

function lastOf(info: tf.TensorInfo): number {
  return info.shape[info.shape.length - 1] as number;
}
