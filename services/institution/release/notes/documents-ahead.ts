import type { Document } from '../../../../models/text/document.js';

/** Characters that are held before anyone asks for a document. */
const MOST_CHARACTERS = 2 ** 22;

/** Documents that are read on while it is not yet known what becomes of them, up to some; then as they are asked for. */
export class DocumentsAhead implements AsyncIterable<Document> {
  readonly #documents: AsyncIterator<Document>;
  readonly #held: Document[] = [];
  #isAsked = false;
  readonly #reading: Promise<void>;

  constructor(documents: AsyncIterable<Document>) {
    this.#documents = documents[Symbol.asyncIterator]();
    this.#reading = this.#readAhead();
    // Whoever asks is told.
    this.#reading.catch(() => {});
  }

  /** Once. Throws what reading throws. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    this.#isAsked = true;
    try {
      await this.#reading;
      yield* this.#held.splice(0);
      for (let next = await this.#next(); next; next = await this.#next()) yield next;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.#isAsked = true;
    await this.#documents.return?.();
  }

  async #readAhead(): Promise<void> {
    let characters = 0;
    while (!this.#isAsked && characters < MOST_CHARACTERS) {
      const document = await this.#next();
      if (!document) return;
      characters += document.text.length;
      this.#held.push(document);
    }
  }

  async #next(): Promise<Document | undefined> {
    const { value, done } = await this.#documents.next();
    return done ? undefined : value;
  }
}
