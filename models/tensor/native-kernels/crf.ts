import { nativeFunction } from '../addon.js';
import type { NativeBackend } from '../native-backend.js';
import type { Crf } from '../native-records.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, type KernelInputs, nativeKernel } from './native-kernel.js';

export function crfKernels(): tf.KernelConfig[] {
  const loss = nativeFunction('crfLoss');
  const gradient = nativeFunction('crfGradient');
  const decode = nativeFunction('crfDecode');
  const posteriors = nativeFunction('crfPosteriors');
  return [
    nativeKernel('CrfLoss', (backend, inputs, attributes) => {
      const crf = crfOf(backend, inputs, attributes);
      const { info, values } = backend.output([crf.lengths.length]);
      loss({ ...crf, truth: truthOf(attributes), losses: values });
      return info;
    }),
    nativeKernel('CrfLossGrad', (backend, inputs, attributes) => {
      const like = (name: string) => backend.output(input(inputs, name).shape);
      const emissions = like('emissions');
      const [transitions, start, end] = [like('transitions'), like('start'), like('end')];
      gradient({
        ...crfOf(backend, inputs, attributes),
        truth: truthOf(attributes),
        dy: backend.values(input(inputs, 'dy')),
        gradients: {
          emissions: emissions.values,
          transitions: transitions.values,
          start: start.values,
          end: end.values,
        },
      });
      return [emissions.info, transitions.info, start.info, end.info];
    }),
    nativeKernel('CrfDecode', (backend, inputs, attributes) => {
      const crf = crfOf(backend, inputs, attributes);
      const paths = new Int32Array(crf.lengths.length * crf.steps);
      decode({ ...crf, paths });
      return backend.makeTensorInfo([paths.length], 'int32', paths);
    }),
    nativeKernel('CrfPosteriors', (backend, inputs, attributes) => {
      const { info, values } = backend.output(input(inputs, 'emissions').shape);
      posteriors({ ...crfOf(backend, inputs, attributes), posteriors: values });
      return info;
    }),
  ];
}

function crfOf(backend: NativeBackend, inputs: KernelInputs, attributes: KernelAttributes): Crf {
  const emissions = input(inputs, 'emissions');
  const [, steps, labels] = emissions.shape as [number, number, number];
  return {
    emissions: backend.values(emissions),
    transitions: backend.values(input(inputs, 'transitions')),
    start: backend.values(input(inputs, 'start')),
    end: backend.values(input(inputs, 'end')),
    lengths: attributes.lengths as Int32Array,
    steps,
    labels,
  };
}

function truthOf({ labels }: KernelAttributes): Int32Array {
  return labels as Int32Array;
}
