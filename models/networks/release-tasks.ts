/** What `Releaser` runs on its threads. */

import type { Task, TaskFactory } from '../../platform/threads/task.js';
import type { ElementType } from '../../proto/element.js';
import type { RowTable } from '../embeddings/row-table.js';
import { nativeFunction } from '../tensor/addon.js';
import { type BackendName, useBackend } from '../tensor/backend.js';
import type { Precision } from '../tensor/native-backend.js';
import type { NamedArrays } from './named-arrays.js';
import { releaseEach, type SentenceRows } from './release.js';
import { elementWriter } from './release-elements.js';
import { Representation } from './representation.js';
import type { RepresentationConfig } from './representation-config.js';

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

/** Sentences that threads release together, each taking the next portion: all of it in shared memory. */
export interface ReleaseInput extends SentenceRows {
  /** Of their ids. */
  readonly table: RowTable;
  /** [B], longest first: the sentences in which they are taken. */
  readonly order: Uint32Array;
  /** [1], how many of them are taken. */
  readonly taken: Int32Array;
  /** [ΣT, d], to be filled. */
  readonly elements: Uint8Array;
}

/** Taken at one time: a batch of the short ones, some 20 ms. */
const PORTION_SENTENCES = 480;
/** Nice: whoever answers requests or feeds these threads runs as soon as it can. */
const PATIENCE = 5;

export const tasks: TaskFactory<ReleaseThreadData> = async (data) => {
  const { config, weights, backend, precision, kernelThreads, elementType } = data;
  await useBackend(backend, precision);
  if (backend === 'native') {
    nativeFunction('limitThreads')(kernelThreads);
    nativeFunction('giveWay')(PATIENCE);
  }
  const representation = Representation.fromWeights(config, weights);
  const write = elementWriter(elementType, config.dimension);
  const release: Task<ReleaseInput> = ({ table, order, taken, elements, ...sentences }) => {
    const { dimension, matrix, composed, places, trained, casing, codes } = table;
    const words = {
      ...{ dimension, matrix },
      composed: () => composed,
      place: (row: number) => places[row],
      trained: (row: number) => trained[row],
      casing: (row: number) => casing[row],
      codes: () => codes,
    };
    for (;;) {
      const from = Atomics.add(taken, 0, PORTION_SENTENCES);
      if (from >= order.length) return { value: undefined };
      const portion = order.subarray(from, from + PORTION_SENTENCES);
      releaseEach(representation, words, sentences, portion, (batch) => {
        write(batch, sentences.starts, elements);
      });
    }
  };
  return { release };
};
