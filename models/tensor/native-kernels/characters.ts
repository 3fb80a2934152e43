import { nativeFunction } from '../addon.js';
import type { CharacterWords } from '../reference/character-maximum.js';
import type * as tf from '../tf.js';
import { input, type KernelAttributes, nativeKernel } from './native-kernel.js';

/** A convolution over the characters of words, its maximum, and its gradient. */
export function characterKernels(): tf.KernelConfig[] {
  return [
    nativeKernel('CharacterMaximum', (backend, inputs, attributes) => {
      const { words, places } = of(attributes);
      const { info, values } = backend.output([places.length / words.filters, words.filters]);
      const tables = backend.values(input(inputs, 'tables'));
      nativeFunction('characterMaximum')({ ...words, tables, places, result: values });
      return info;
    }),
    nativeKernel('CharacterMaximumGrad', (backend, inputs, attributes) => {
      const { words, places } = of(attributes);
      const { info, values } = backend.output(attributes.shape as [number, number]);
      const dy = backend.values(input(inputs, 'dy'));
      nativeFunction('characterMaximumGradient')({ ...words, dy, places, result: values });
      return info;
    }),
  ];
}

function of(attributes: KernelAttributes): { words: CharacterWords; places: Int32Array } {
  const { codes, steps, width, filters, places } = attributes as unknown as CharacterWords & {
    places: Int32Array;
  };
  return { words: { codes, steps, width, filters }, places };
}
