import { Readable } from 'node:stream';
import type { BlobContent } from '../blobs.js';

/**
 * A content as the body of one request. Where it cannot be read to its end, the request is to be given up: it would wait for
 * bytes that never come.
 */
export class ReadBody {
  readonly stream: Readable;
  readonly #reading = new AbortController();
  #failure: unknown;

  constructor(content: BlobContent) {
    this.stream = Readable.from(this.#chunks(content), { objectMode: false });
    // The request says what became of it; an error that nobody hears would end the process.
    this.stream.on('error', () => {});
  }

  /** Aborted where the content could not be read. */
  get signal(): AbortSignal {
    return this.#reading.signal;
  }

  /** Why it could not be read; undefined where it could, whatever became of the request. */
  get failure(): unknown {
    return this.#failure;
  }

  async *#chunks(content: BlobContent): AsyncGenerator<Uint8Array> {
    const chunks = content.read()[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await chunks.next().catch((error: unknown) => {
          this.#failure = error;
          this.#reading.abort();
          throw error;
        });
        if (done) return;
        yield value;
      }
    } finally {
      await chunks.return?.();
    }
  }
}
