/**
 * Lets what is streamed to many readers be made one chunk at a time: in each turn of the event loop one of those that wait goes
 * on, so that a short request waits for one chunk to be made, and not for a chunk of every reader.
 */
export class StreamTurns {
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;

  /** The chunks of a stream, each made in a turn of its own. */
  async *of<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const chunk of chunks) {
      yield chunk;
      await this.#turn();
    }
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
    this.#waiting.shift()?.();
    this.#isTurning = this.#waiting.length > 0;
    // One that is set while others run comes in the next turn of the loop, after what has arrived meanwhile.
    if (this.#isTurning) setImmediate(() => this.#next());
  }
}
