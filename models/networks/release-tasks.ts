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
  /** Rows of the table, [T] each. */
  readonly sentences: readonly Int32Array[];
  readonly table: RowTable;
}

export const tasks: TaskFactory<ReleaseThreadData> = async (data) => {
  const { config, weights, backend, precision, kernelThreads, elementType } = data;
  await useBackend(backend, precision);
  if (backend === 'native') nativeFunction('limitThreads')(kernelThreads);
  const representation = Representation.fromWeights(config, weights);
  const tokenBytes = config.dimension * ELEMENT_BYTES[elementType];
  const run: Task<ReleaseInput, Uint8Array[]> = ({ sentences, table }) => {
    const { dimension, vectors, trained } = table;
    const words = { dimension, vectors: () => vectors, trained: (row: number) => trained[row] };
    const value: Uint8Array<ArrayBuffer>[] = [];
    // One buffer for all: it crosses to the caller at once.
    const buffer = new ArrayBuffer(
      tokenBytes * sentences.reduce((sum, ids) => sum + ids.length, 0),
    );
    let at = 0;
    for (const { length } of sentences) {
      value.push(new Uint8Array(buffer, at, length * tokenBytes));
      at += length * tokenBytes;
    }
    releaseEach(representation, words, sentences, (sentence, values) => {
      encodeElements(values, elementType, value[sentence]);
    });
    return { value, transfer: [buffer] };
  };
  return { release: run };
};
