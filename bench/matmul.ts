import { nativeFunction } from '../models/tensor/addon.js';
import type { Measurement, Subject } from './measurement.js';
import { forThreads, PEAK, peakSubject } from './threads.js';

interface Product {
  readonly name: string;
  /** m, k, n. */
  readonly shape: readonly [number, number, number];
  /** The operand that is transposed, if one is. */
  readonly transpose: '' | 'a' | 'b';
  /** Calls that are measured together: of a short one as many as a batch has time steps. */
  readonly times: number;
}

/** Those of a training step, and a square. */
const PRODUCTS: readonly Product[] = [
  { name: 'input projection', shape: [1280, 300, 512], transpose: '', times: 1 },
  { name: 'recurrent step', shape: [32, 128, 512], transpose: '', times: 40 },
  { name: 'input gradient', shape: [1280, 512, 300], transpose: 'b', times: 1 },
  { name: 'kernel gradient', shape: [300, 1280, 512], transpose: 'a', times: 1 },
  { name: 'recurrent kernel gradient', shape: [128, 1280, 512], transpose: 'a', times: 1 },
  { name: 'square', shape: [1024, 1024, 1024], transpose: '', times: 1 },
];

/** One of the search for neighbours, measured apart: its result would sweep the others' from the cache. */
const NEIGHBOURS: Product = {
  name: 'neighbours',
  shape: [512, 300, 20000],
  transpose: 'b',
  times: 1,
};

/** The native matrix product against a loop of independent multiply-adds in registers. */
export async function* matmulBench(): AsyncGenerator<Measurement> {
  const against = (products: readonly Product[]) =>
    forThreads('matmul', () => [peakSubject(), ...products.map(subjectOf)]);
  yield* against(PRODUCTS);
  yield* against([NEIGHBOURS]);
}

function subjectOf({
  name,
  shape: [m, k, n],
  transpose,
  times,
}: Product): Omit<Subject, 'threads'> {
  const multiply = nativeFunction('matMul');
  const [a, b, result] = [m * k, k * n, m * n].map(numbers) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const call = {
    a,
    b,
    result,
    batch: 1,
    m,
    k,
    n,
    transposeA: transpose === 'a',
    transposeB: transpose === 'b',
    aBatched: true,
    bBatched: true,
    activation: 'linear',
  } as const;
  const work = 2 * times * m * k * n;
  return {
    name: `${name} ${times > 1 ? `${times} x ` : ''}[${m}, ${k}] [${k}, ${n}]`,
    work,
    unit: 'FLOP/s',
    peak: { subject: PEAK, work },
    run: () => {
      for (let i = 0; i < times; i++) multiply(call);
    },
  };
}

function numbers(count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(i));
}
