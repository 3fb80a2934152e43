import { nativeFunction } from '../addon.js';
import type * as tf from '../tf.js';
import { areFloats, input, nativeKernel } from './native-kernel.js';

/** Elementwise ops of one tensor, and the attributes that are their constants. */
const UNARY: Readonly<Record<string, readonly string[]>> = {
  Abs: [],
  ClipByValue: ['clipValueMin', 'clipValueMax'],
  Exp: [],
  Log: [],
  Neg: [],
  Reciprocal: [],
  Relu: [],
  Rsqrt: [],
  Sigmoid: [],
  Softplus: [],
  Sqrt: [],
  Square: [],
  Step: ['alpha'],
  Tanh: [],
};

export function unaryKernels(): tf.KernelConfig[] {
  return Object.entries(UNARY).map(([name, constants]) => unaryKernel(name, constants));
}

function unaryKernel(name: string, constants: readonly string[]): tf.KernelConfig {
  const compute = nativeFunction(name);
  return nativeKernel(name, (backend, inputs, attributes) => {
    const x = input(inputs, 'x');
    if (!areFloats(x)) return undefined;
    const { info, values } = backend.output(x.shape);
    compute(backend.values(x), values, ...constants.map((key) => attributes[key] as number));
    return info;
  });
}
