/** What `Releaser` runs on its threads. */
import { useBackend } from '../tensor/backend.js';
import type { Precision } from '../tensor/native-backend.js';
import type { Task, TaskFactory } from '../tensor/worker-task.js';
import type { NamedArrays } from './named-arrays.js';
import { release } from './release.js';
import { Representation, type RepresentationConfig } from './representation.js';

export interface ReleaseThreadData {
  readonly config: RepresentationConfig;
  readonly weights: NamedArrays;
  /** That of the thread which asks, so that both compute one f. */
  readonly precision: Precision;
}

export interface ReleaseInput {
  /** Rows of the table, [T] each. */
  readonly sentences: readonly Int32Array[];
  /** [U, E], the fixed vectors of the rows. */
  readonly vectors: Float32Array;
  /** [U], as `Vocabulary.trained`. */
  readonly trained: Uint8Array;
  /** E */
  readonly dimension: number;
}

export const tasks: TaskFactory<ReleaseThreadData> = async ({ config, weights, precision }) => {
  await useBackend(undefined, precision);
  const representation = Representation.fromWeights(config, weights);
  const run: Task<ReleaseInput, Float32Array[]> = ({ sentences, vectors, trained, dimension }) => {
    const words = { dimension, vectors: () => vectors, trained: (row: number) => trained[row] };
    const value = release(representation, words, sentences);
    return { value, transfer: value.map(({ buffer }) => buffer as ArrayBuffer) };
  };
  return { release: run };
};
