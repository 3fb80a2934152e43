import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { WorkerPool } from '../../../../platform/threads/worker-pool.js';
import type { OpenReading } from './corpus-tasks.js';
import type { CorpusSource, ReadChunk } from './note-source.js';
import type { Replacement } from './replacer.js';

const TASKS = new URL('./corpus-tasks.js', import.meta.url);

/** `readChunks` of files on a thread of its own, which reads on while the caller uses a chunk. */
export class CorpusReader {
  readonly #pool = new WorkerPool(TASKS, { handlesText: true });
  #readings = 0;

  /** Throws what `readChunks` throws. */
  async *chunks(
    source: CorpusSource,
    scheme: LabelScheme,
    replacement?: Replacement,
  ): AsyncGenerator<ReadChunk> {
    const reading = this.#readings++;
    await this.#pool.run('open', { reading, source, scheme, replacement } satisfies OpenReading);
    try {
      let ahead = this.#next(reading);
      for (;;) {
        const chunk = await ahead;
        if (!chunk) return;
        ahead = this.#next(reading);
        // Whoever ends early does not wait for it.
        ahead.catch(() => {});
        yield chunk;
      }
    } finally {
      await this.#pool.run('close', reading);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #next(reading: number): Promise<ReadChunk | undefined> {
    return this.#pool.run('next', reading) as Promise<ReadChunk | undefined>;
  }
}
