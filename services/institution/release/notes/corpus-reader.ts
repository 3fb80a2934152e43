import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { WorkerPool } from '../../../../platform/threads/worker-pool.js';
import type { BeginReading, OpenReading } from './corpus-tasks.js';
import type { CorpusSource, ReadChunk } from './note-source.js';
import type { Replacement } from './replacer.js';

const TASKS = new URL('./corpus-tasks.js', import.meta.url);

/** `readChunks` of files on a thread of its own, which reads on while the caller uses a chunk. */
export class CorpusReader {
  readonly #pool = new WorkerPool(TASKS, { handlesText: true });
  #readings = 0;

  /** Begins to read, before it is known what replaces entities. Whoever opens it closes it. */
  open(source: CorpusSource, scheme: LabelScheme): CorpusReading {
    return new CorpusReading(this.#pool, this.#readings++, source, scheme);
  }

  /** Throws what `readChunks` throws. */
  async *chunks(
    source: CorpusSource,
    scheme: LabelScheme,
    replacement?: Replacement,
  ): AsyncGenerator<ReadChunk> {
    const reading = this.open(source, scheme);
    try {
      yield* reading.chunks(replacement);
    } finally {
      await reading.close();
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Files that are being read. */
export class CorpusReading {
  readonly #opened: Promise<unknown>;

  constructor(
    private readonly pool: WorkerPool,
    private readonly reading: number,
    source: CorpusSource,
    scheme: LabelScheme,
  ) {
    this.#opened = pool.run('open', { reading, source, scheme } satisfies OpenReading);
    // Whoever asks for chunks is told.
    this.#opened.catch(() => {});
  }

  /** Once. Throws what `readChunks` throws. */
  async *chunks(replacement?: Replacement): AsyncGenerator<ReadChunk> {
    const { reading } = this;
    await this.#opened;
    await this.pool.run('begin', { reading, replacement } satisfies BeginReading);
    let ahead = this.#next();
    for (;;) {
      const chunk = await ahead;
      if (!chunk) return;
      ahead = this.#next();
      // Whoever ends early does not wait for it.
      ahead.catch(() => {});
      yield chunk;
    }
  }

  /** Throws nothing: where the thread has ended, it reads no more. */
  async close(): Promise<void> {
    await this.pool.run('close', this.reading).catch(() => {});
  }

  #next(): Promise<ReadChunk | undefined> {
    return this.pool.run('next', this.reading) as Promise<ReadChunk | undefined>;
  }
}
