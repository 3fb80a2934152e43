import type { ElementType } from '../../proto/element.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { nativeFunction } from '../tensor/addon.js';
import { type BackendName, precisionInUse } from '../tensor/backend.js';
import * as tf from '../tensor/tf.js';
import { WorkerPool } from '../tensor/worker-pool.js';
import type { ReleaseInput, ReleaseThreadData } from './release-tasks.js';
import type { Representation } from './representation.js';

const TASKS = new URL('./release-tasks.js', import.meta.url);

export interface ReleaserOptions {
  /** How the numbers of a release are stored. */
  readonly elementType: ElementType;
  /**
   * Releases that are computed at the same time. Native kernels share the processors between them, so
   * that what a pass does beside its kernels costs nobody else a pause.
   */
  readonly threads?: number | undefined;
}

/**
 * `release` on worker threads: while they compute, the event loop of the caller goes on. The
 * representation is copied when the releaser is made; later changes of it are not seen.
 */
export class Releaser {
  readonly #pool: WorkerPool;

  constructor(representation: Representation, { elementType, threads = 1 }: ReleaserOptions) {
    const { config, parameters } = representation;
    const backend = tf.getBackend() as BackendName;
    const processors = backend === 'native' ? (nativeFunction('threadCount')() as number) : 1;
    const data: ReleaseThreadData = {
      ...{ config, backend, elementType },
      weights: parameters.toArrays(),
      precision: precisionInUse(),
      kernelThreads: Math.max(1, Math.floor(processors / threads)),
    };
    this.#pool = new WorkerPool(TASKS, { threads, data });
  }

  /**
   * One release of each sentence (ids of the vocabulary): their elements [ΣT, d] behind each other, in
   * the order given. Several calls may be under way.
   */
  async release(
    vocabulary: Vocabulary,
    sentences: readonly Int32Array[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<Uint8Array> {
    const lengths = Int32Array.from(sentences, ({ length }) => length);
    const rows = new Int32Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const ids of sentences) {
      rows.set(ids, at);
      at += ids.length;
    }
    const input: ReleaseInput = { rows, lengths, table: vocabulary.table() };
    const transfer = [rows.buffer, lengths.buffer];
    return (await this.#pool.run('release', input, { signal, transfer })) as Uint8Array;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
