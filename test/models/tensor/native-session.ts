import { afterAll, beforeAll } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { useBackend } from '../../../models/tensor/backend.js';
import type { InstructionSet } from '../../../models/tensor/native-functions.js';
import * as tf from '../../../models/tensor/tf.js';

/** Of the kernels under test, whatever the suite gives a process: threads must not get into each other's way. */
const THREADS = 2;

let threadsBefore: number;
beforeAll(() => {
  threadsBefore = nativeFunction('setThreadCount')(THREADS);
});
afterAll(() => {
  nativeFunction('setThreadCount')(threadsBefore);
});

/** The instruction sets that this processor runs, best first. */
export function instructionSets(): InstructionSet[] {
  const before = nativeFunction('isa')();
  const runs = (['avx512', 'avx2', 'portable'] as const).filter((name) => {
    try {
      nativeFunction('useIsa')(name);
      return true;
    } catch {
      return false;
    }
  });
  nativeFunction('useIsa')(before);
  return runs;
}

/** The CPU backend, and the native one with each instruction set. */
export function backends(): ['cpu' | 'native', InstructionSet | ''][] {
  return [
    ['cpu', ''],
    ...instructionSets().map((isa): ['native', InstructionSet] => ['native', isa]),
  ];
}

/** Makes the native kernels of a group of tests use an instruction set, where one is named. */
export function useInstructionSet(isa: InstructionSet | ''): void {
  let before: InstructionSet;
  beforeAll(() => {
    if (isa) before = nativeFunction('useIsa')(isa);
  });
  afterAll(() => {
    if (isa) nativeFunction('useIsa')(before);
  });
}

/** What `compute` gives on a backend, in an instruction set, as plain arrays. */
export async function on(
  backend: 'native' | 'cpu',
  compute: () => tf.Tensor[],
  instructionSet?: InstructionSet,
): Promise<Float32Array[]> {
  await useBackend(backend);
  const before = instructionSet && nativeFunction('useIsa')(instructionSet);
  const outputs = tf.tidy(compute);
  const arrays = outputs.map((output) => Float32Array.from(output.dataSync()));
  for (const output of outputs) output.dispose();
  if (before) nativeFunction('useIsa')(before);
  return arrays;
}

/** The largest |a - b| / (1 + |b|). */
export function difference(a: Float32Array, b: Float32Array): number {
  expectSameLength(a, b);
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const exact = b[i] as number;
    const error = Math.abs((a[i] as number) - exact) / (1 + Math.abs(exact));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

function expectSameLength(a: Float32Array, b: Float32Array): void {
  if (a.length !== b.length) throw new Error(`lengths ${a.length} and ${b.length} differ`);
}
