import { nativeFunction } from '../models/tensor/addon.js';
import type { Measurement, Subject } from './measurement.js';
import { forThreads, peakRate } from './threads.js';

/** m, k, n and the transposed operands of the products in a training step, and two larger ones. */
const PRODUCTS = [
  { name: 'input projection', shape: [1280, 300, 512], transpose: '' },
  { name: 'recurrent step', shape: [32, 128, 512], transpose: '' },
  { name: 'input gradient', shape: [1280, 512, 300], transpose: 'b' },
  { name: 'weight gradient', shape: [300, 1280, 512], transpose: 'a' },
  { name: 'square', shape: [1024, 1024, 1024], transpose: '' },
  { name: 'neighbours', shape: [512, 300, 20000], transpose: 'b' },
] as const;

/** The native matrix product against a loop of independent multiply-adds in registers. */
export async function matmulBench(): Promise<Measurement[]> {
  return forThreads('matmul', () => PRODUCTS.map(subjectOf(peakRate())));
}

function subjectOf(peak: number): (product: (typeof PRODUCTS)[number]) => Omit<Subject, 'threads'> {
  const multiply = nativeFunction('matMul');
  return ({ name, shape: [m, k, n], transpose }) => {
    const [a, b, out] = [m * k, k * n, m * n].map(numbers) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const operands = [transpose === 'a', transpose === 'b', true, true] as const;
    return {
      name: `${name} [${m}, ${k}] [${k}, ${n}]`,
      work: 2 * m * k * n,
      unit: 'FLOP/s',
      peak,
      run: () => void multiply(a, b, null, out, 1, m, k, n, ...operands, 'linear'),
    };
  };
}

function numbers(count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(i));
}
