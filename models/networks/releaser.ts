import type { Vocabulary } from '../embeddings/vocabulary.js';
import { precisionInUse } from '../tensor/backend.js';
import { WorkerPool } from '../tensor/worker-pool.js';
import type { ReleaseInput, ReleaseThreadData } from './release-tasks.js';
import type { Representation } from './representation.js';

const TASKS = new URL('./release-tasks.js', import.meta.url);

/**
 * `release` on a worker thread: while it computes, the event loop of the caller goes on. The
 * representation is copied when the releaser is made; later changes of it are not seen.
 */
export class Releaser {
  readonly #pool: WorkerPool;
  readonly #vocabulary: Vocabulary;

  constructor(representation: Representation, vocabulary: Vocabulary, threads = 1) {
    const { config, parameters } = representation;
    const data: ReleaseThreadData = {
      config,
      weights: parameters.toArrays(),
      precision: precisionInUse(),
    };
    this.#pool = new WorkerPool(TASKS, { threads, data });
    this.#vocabulary = vocabulary;
  }

  /** One release of each sentence (vocabulary ids), [T·d] each, in the order given. */
  async release(
    sentences: readonly Int32Array[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<Float32Array[]> {
    const input = releaseInput(this.#vocabulary, sentences);
    const transfer = [input.vectors, input.trained].map(({ buffer }) => buffer as ArrayBuffer);
    const releases = await this.#pool.run('release', input, { signal, transfer });
    return releases as Float32Array[];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The sentences over a table of the rows that they use: the whole vocabulary may be large. */
function releaseInput(vocabulary: Vocabulary, sentences: readonly Int32Array[]): ReleaseInput {
  const { dimension } = vocabulary;
  const all = vocabulary.vectors();
  const places = new Map<number, number>();
  const numbered = sentences.map((ids) =>
    ids.map((id) => {
      const place = places.get(id) ?? places.size;
      places.set(id, place);
      return place;
    }),
  );
  const vectors = new Float32Array(places.size * dimension);
  const trained = new Uint8Array(places.size);
  for (const [id, place] of places) {
    vectors.set(all.subarray(id * dimension, (id + 1) * dimension), place * dimension);
    trained[place] = vocabulary.trained(id);
  }
  return { sentences: numbered, vectors, trained, dimension };
}
