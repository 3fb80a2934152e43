import { nothingFound } from '../../../../models/text/corpus/read-corpus.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { WorkerPool } from '../../../../platform/threads/worker-pool.js';
import type { OpenReading } from './corpus-tasks.js';
import type { CorpusSource, ReadChunk } from './note-source.js';
import type { Replacement } from './replacer.js';

const TASKS = new URL('./corpus-tasks.js', import.meta.url);

/**
 * `readChunks` of files on threads of its own, which read on while the caller uses a chunk. Each reads a share of the
 * files, and their chunks come in turn, so that the order follows from the files and from the number of threads alone.
 */
export class CorpusReader {
  readonly #threads: readonly WorkerPool[];
  #readings = 0;

  constructor(threads = 1) {
    this.#threads = Array.from(
      { length: threads },
      () => new WorkerPool(TASKS, { handlesText: true }),
    );
  }

  /** Throws what `readChunks` throws. */
  async *chunks(
    source: CorpusSource,
    scheme: LabelScheme,
    replacement?: Replacement,
  ): AsyncGenerator<ReadChunk> {
    const reading = this.#readings++;
    const of = this.#threads.length;
    const opened = this.#threads.map((thread, number) => {
      const share = { number, of };
      return thread.run('open', {
        reading,
        source,
        scheme,
        replacement,
        share,
      } satisfies OpenReading);
    });
    try {
      await Promise.all(opened);
      let isEmpty = true;
      for await (const chunk of this.#inTurn(reading)) {
        isEmpty &&= chunk.documents.length === 0 && chunk.bad === 0;
        yield chunk;
      }
      if (isEmpty) throw nothingFound(source.corpus);
    } finally {
      await Promise.all(this.#threads.map((thread) => thread.run('close', reading)));
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async *#inTurn(reading: number): AsyncGenerator<ReadChunk> {
    let under = this.#threads.map((thread) => ({ thread, ahead: nextOf(thread, reading) }));
    while (under.length > 0) {
      for (const each of under) {
        const chunk = await each.ahead;
        if (!chunk) {
          under = under.filter((other) => other !== each);
          continue;
        }
        each.ahead = nextOf(each.thread, reading);
        yield chunk;
      }
    }
  }
}

function nextOf(thread: WorkerPool, reading: number): Promise<ReadChunk | undefined> {
  const next = thread.run('next', reading) as Promise<ReadChunk | undefined>;
  // Whoever ends early does not wait for it.
  next.catch(() => {});
  return next;
}
