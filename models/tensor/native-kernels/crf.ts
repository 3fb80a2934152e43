import { type NativeValue, nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, type KernelInputs, nativeKernel } from './native-kernel.js';

const WEIGHTS = ['transitions', 'start', 'end'] as const;

export function crfKernels(): tf.KernelConfig[] {
  const loss = nativeFunction('crfLoss');
  const gradient = nativeFunction('crfGradient');
  const decode = nativeFunction('crfDecode');
  return [
    nativeKernel('CrfLoss', (backend, inputs, attributes) => {
      const [batch] = input(inputs, 'emissions').shape;
      const { info, values } = backend.output([batch as number]);
      loss(...crfArguments(backend, inputs, attributes), values);
      return info;
    }),
    nativeKernel('CrfLossGrad', (backend, inputs, attributes) => {
      const outputs = (['emissions', ...WEIGHTS] as const).map((name) =>
        backend.output(input(inputs, name).shape),
      );
      const dy = backend.values(input(inputs, 'dy'));
      const targets = outputs.map(({ values }) => values);
      gradient(...crfArguments(backend, inputs, attributes), dy, ...targets);
      return outputs.map(({ info }) => info);
    }),
    nativeKernel('CrfDecode', (backend, inputs, attributes) => {
      const [batch, steps] = input(inputs, 'emissions').shape as [number, number];
      const paths = new Int32Array(batch * steps);
      decode(...crfArguments(backend, inputs, attributes), paths);
      return backend.makeTensorInfo([batch * steps], 'int32', paths);
    }),
  ];
}

/** Emissions, weights, lengths, labels or null, and the sizes B, T and L. */
function crfArguments(
  backend: NativeBackend,
  inputs: KernelInputs,
  attributes: KernelAttributes,
): NativeValue[] {
  const emissions = input(inputs, 'emissions');
  return [
    backend.values(emissions),
    ...WEIGHTS.map((name) => backend.values(input(inputs, name))),
    attributes.lengths as Int32Array,
    (attributes.labels as Int32Array | undefined) ?? null,
    ...emissions.shape,
  ];
}
