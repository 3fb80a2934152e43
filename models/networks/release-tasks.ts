/** What `Releaser` runs on its threads. */
import { ELEMENT_BYTES, type ElementType, encodeElements } from '../../proto/element.js';
import type { RowTable } from '../embeddings/vocabulary.js';
import { nativeFunction } from '../tensor/addon.js';
import { type BackendName, useBackend } from '../tensor/backend.js';
import type { Precision } from '../tensor/native-backend.js';
import type { Task, TaskFactory } from '../tensor/worker-task.js';
import type { NamedArrays } from './named-arrays.js';
import { releaseEach } from './release.js';
import { Representation, type RepresentationConfig } from './representation.js';

export interface ReleaseThreadData {
  readonly config: RepresentationConfig;
  readonly weights: NamedArrays;
  /** Those of the thread which asks, so that both compute one f. */
  readonly backend: BackendName;
  readonly precision: Precision;
  /** Threads that a native kernel may take. */
  readonly kernelThreads: number;
  readonly elementType: ElementType;
}

export interface ReleaseInput {
  /** [ΣT], rows of the table. */
  readonly rows: Int32Array;
  /** [B], T of each sentence. */
  readonly lengths: Int32Array;
  readonly table: RowTable;
}

export const tasks: TaskFactory<ReleaseThreadData> = async (data) => {
  const { config, weights, backend, precision, kernelThreads, elementType } = data;
  await useBackend(backend, precision);
  if (backend === 'native') nativeFunction('limitThreads')(kernelThreads);
  const representation = Representation.fromWeights(config, weights);
  const tokenBytes = config.dimension * ELEMENT_BYTES[elementType];
  const run: Task<ReleaseInput, Uint8Array> = ({ rows, lengths, table }) => {
    const { dimension, vectors, trained } = table;
    const words = { dimension, vectors: () => vectors, trained: (row: number) => trained[row] };
    const starts = startsOf(lengths);
    const sentences = Array.from(lengths, (length, i) =>
      rows.subarray(starts[i], starts[i] + length),
    );
    const value = new Uint8Array(rows.length * tokenBytes);
    releaseEach(representation, words, sentences, (i, values) => {
      const start = starts[i] * tokenBytes;
      encodeElements(values, elementType, value.subarray(start, start + lengths[i] * tokenBytes));
    });
    return { value, transfer: [value.buffer] };
  };
  return { release: run };
};

/** [B], where each of the sentences that follow each other begins. */
function startsOf(lengths: Int32Array): Int32Array {
  let start = 0;
  return lengths.map((length) => {
    start += length;
    return start - length;
  });
}
