import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import type { AttentionHeads } from '../native-records.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, type KernelInputs, nativeKernel } from './native-kernel.js';

/** Multi-head attention over sentences, and its gradient. */
export function attentionKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('Attention', (backend, inputs, attributes) => {
      const [B, T] = input(inputs, 'queries').shape as [number, number];
      const [heads] = input(inputs, 'distances').shape as [number];
      const y = backend.output(input(inputs, 'queries').shape);
      const logSums = backend.output([B, heads, T]);
      nativeFunction('attention')({
        ...headsOf(backend, inputs, attributes),
        result: y.values,
        logSums: logSums.values,
      });
      return [y.info, logSums.info];
    }),
    nativeKernel('AttentionGrad', (backend, inputs, attributes) => {
      const of = (name: string) => backend.output(input(inputs, name).shape);
      const queries = of('queries');
      const keys = of('keys');
      const values = of('values');
      const distances = of('distances');
      nativeFunction('attentionGradient')({
        ...headsOf(backend, inputs, attributes),
        logSums: backend.values(input(inputs, 'logSums')),
        dy: backend.values(input(inputs, 'dy')),
        dQueries: queries.values,
        dKeys: keys.values,
        dValues: values.values,
        dDistances: distances.values,
      });
      return [queries.info, keys.info, values.info, distances.info];
    }),
  ];
}

function headsOf(
  backend: NativeBackend,
  inputs: KernelInputs,
  attributes: KernelAttributes,
): AttentionHeads {
  const [, T, W] = input(inputs, 'queries').shape as [number, number, number];
  const [heads, places] = input(inputs, 'distances').shape as [number, number];
  return {
    queries: backend.values(input(inputs, 'queries')),
    keys: backend.values(input(inputs, 'keys')),
    values: backend.values(input(inputs, 'values')),
    distances: backend.values(input(inputs, 'distances')),
    lengths: attributes.lengths as Int32Array,
    steps: T,
    width: W,
    heads,
    reach: (places - 1) / 2,
  };
}
