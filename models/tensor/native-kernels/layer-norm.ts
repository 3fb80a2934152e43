import { nativeFunction } from '../addon.js';
import type * as tf from '../tf.js';
import { input, nativeKernel } from './native-kernel.js';

/** Layer normalisation and its gradient. */
export function layerNormKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('LayerNorm', (backend, inputs, attributes) => {
      const x = input(inputs, 'x');
      const rows = x.shape.slice(0, -1);
      const y = backend.output(x.shape);
      const means = backend.output(rows);
      const scales = backend.output(rows);
      nativeFunction('layerNorm')({
        x: backend.values(x),
        gain: backend.values(input(inputs, 'gain')),
        bias: backend.values(input(inputs, 'bias')),
        least: attributes.least as number,
        result: y.values,
        means: means.values,
        scales: scales.values,
      });
      return [y.info, means.info, scales.info];
    }),
    nativeKernel('LayerNormGrad', (backend, inputs) => {
      const x = input(inputs, 'x');
      const gain = input(inputs, 'gain');
      const dx = backend.output(x.shape);
      const dGain = backend.output(gain.shape);
      const dBias = backend.output(gain.shape);
      nativeFunction('layerNormGradient')({
        x: backend.values(x),
        gain: backend.values(gain),
        means: backend.values(input(inputs, 'means')),
        scales: backend.values(input(inputs, 'scales')),
        dy: backend.values(input(inputs, 'dy')),
        dx: dx.values,
        dGain: dGain.values,
        dBias: dBias.values,
      });
      return [dx.info, dGain.info, dBias.info];
    }),
  ];
}
