import { checksEveryOp, requireFinite } from '../finite-check.js';
import * as tf from '../tf.js';
import { attentionKernels } from './attention.js';
import { binaryKernels } from './binary.js';
import { characterKernels } from './characters.js';
import { copyKernels } from './copy.js';
import { crfKernels } from './crf.js';
import { gatherKernels } from './gather.js';
import { layerNormKernels } from './layer-norm.js';
import { lstmKernels } from './lstm.js';
import { matMulKernels } from './mat-mul.js';
import { noiseKernels } from './noise.js';
import { reduceKernels } from './reduce.js';
import { rowKernels } from './rows.js';
import { shapeKernels } from './shape.js';
import { unaryKernels } from './unary.js';

/**
 * Puts the native kernels in front of those copied from tfjs's CPU backend. Where every op is checked,
 * one whose result holds NaN or infinity throws `tensor-invalid` with its name and shapes.
 */
export function registerNativeKernels(): void {
  const kernels = [
    ...binaryKernels(),
    ...unaryKernels(),
    ...reduceKernels(),
    ...copyKernels(),
    ...shapeKernels(),
    ...gatherKernels(),
    ...rowKernels(),
    ...layerNormKernels(),
    ...attentionKernels(),
    ...characterKernels(),
    ...noiseKernels(),
    ...crfKernels(),
    ...matMulKernels(),
    ...lstmKernels(),
  ];
  for (const kernel of kernels) replace(kernel);
  if (checksEveryOp())
    for (const kernel of tf.getKernelsForBackend('native')) replace(checked(kernel));
}

function replace(kernel: tf.KernelConfig): void {
  if (tf.getKernel(kernel.kernelName, 'native')) tf.unregisterKernel(kernel.kernelName, 'native');
  tf.registerKernel(kernel);
}

function checked(kernel: tf.KernelConfig): tf.KernelConfig {
  return {
    ...kernel,
    kernelFunc: (call) => {
      const outputs = kernel.kernelFunc(call);
      for (const output of [outputs].flat()) {
        requireFinite(kernel.kernelName, output, call.inputs as Record<string, tf.TensorInfo>);
      }
      return outputs;
    },
  };
}
