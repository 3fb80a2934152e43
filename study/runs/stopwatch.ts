const MICROSECONDS = 1e6;

/** Seconds since it was made, by the clock and of this process's processors. */
export class Stopwatch {
  readonly #startMs = performance.now();
  readonly #cpu = process.cpuUsage();

  get wallSeconds(): number {
    return (performance.now() - this.#startMs) / 1000;
  }

  /** Of all threads together. */
  get cpuSeconds(): number {
    const { user, system } = process.cpuUsage(this.#cpu);
    return (user + system) / MICROSECONDS;
  }
}
