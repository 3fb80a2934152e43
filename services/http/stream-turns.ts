/** A client whose requests follow one another is seen as one that waits all the while. */
const STILL_THERE_MS = 10;
/** Of a turn: the more, the faster are streams, and the longer do other requests wait. */
export const CHUNKS = 8;

/**
 * Lets what is streamed to many readers give way to other requests: while one of those is there, in each turn of the event loop
 * a few chunks are made, each of another stream, so that it waits for these and not for a chunk of every reader. Among
 * themselves streams need no turns, and are faster without.
 */
export class StreamTurns {
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;
  #requests = 0;
  #streams = 0;
  #lastOtherMs = Number.NEGATIVE_INFINITY;

  /** `nowMs` is a clock that only goes forward. */
  constructor(readonly nowMs: () => number = () => performance.now()) {}

  /** A request has come, one that is answered with a stream or another; to be told when it is over. */
  request(): () => void {
    this.#requests++;
    return () => {
      this.#requests--;
    };
  }

  /** The chunks of the stream that a request is answered with. */
  async *of<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    this.#streams++;
    try {
      for await (const chunk of chunks) {
        yield chunk;
        if (this.#areOthersThere()) await this.#turn();
      }
    } finally {
      this.#streams--;
    }
  }

  #areOthersThere(): boolean {
    const nowMs = this.nowMs();
    if (this.#requests > this.#streams) this.#lastOtherMs = nowMs;
    return nowMs < this.#lastOtherMs + STILL_THERE_MS;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isTurning) return;
      this.#isTurning = true;
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    for (const resolve of this.#waiting.splice(0, CHUNKS)) resolve();
    this.#isTurning = this.#waiting.length > 0;
    // One that is set while others run comes in the next turn of the loop, after what has arrived meanwhile.
    if (this.#isTurning) setImmediate(() => this.#next());
  }
}
