import { WorkerPool } from '../../platform/threads/worker-pool.js';
import { ELEMENT_BYTES, type ElementType } from '../../proto/element.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { nativeFunction } from '../tensor/addon.js';
import { type BackendName, precisionInUse } from '../tensor/backend.js';
import * as tf from '../tensor/tf.js';
import { longestFirst, sentenceRows } from './release.js';
import type { ReleaseInput, ReleaseThreadData } from './release-tasks.js';
import type { Representation } from './representation.js';

const TASKS = new URL('./release-tasks.js', import.meta.url);
/** Releases of like size fit into each other's place. */
const ROOM_BYTES = 2 ** 20;

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
  readonly #threads: number;
  readonly #tokenBytes: number;
  /** Of releases that were taken back: the garbage collector does not count shared memory. */
  readonly #spare: SharedArrayBuffer[] = [];

  constructor(representation: Representation, { elementType, threads = 1 }: ReleaserOptions) {
    const { config, parameters } = representation;
    this.#threads = threads;
    this.#tokenBytes = config.dimension * ELEMENT_BYTES[elementType];
    const backend = tf.getBackend() as BackendName;
    const processors = backend === 'native' ? nativeFunction('threadCount')() : 1;
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
    const all = sentenceRows(sentences);
    const input: ReleaseInput = {
      table: vocabulary.table(),
      ...all,
      order: longestFirst(all),
      taken: new Int32Array(new SharedArrayBuffer(4)),
      elements: this.#room(all.rows.length * this.#tokenBytes),
    };
    const run = () => this.#pool.run('release', input, { signal });
    await Promise.all(Array.from({ length: this.#threads }, run));
    return input.elements;
  }

  /** Takes back what `release` gave, for a later one to overwrite. */
  recycle({ buffer }: Uint8Array): void {
    if (buffer instanceof SharedArrayBuffer) this.#spare.push(buffer);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #room(bytes: number): Uint8Array {
    const spare = this.#spare.pop();
    const isEnough = spare !== undefined && spare.byteLength >= bytes;
    const buffer = isEnough
      ? spare
      : new SharedArrayBuffer(Math.ceil(bytes / ROOM_BYTES) * ROOM_BYTES);
    return new Uint8Array(buffer, 0, bytes);
  }
}
