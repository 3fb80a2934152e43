import type { Blobs } from '../../pool-store/blobs/blobs.js';
import type { ErrorCode } from '../../proto/errors.js';
import type { Explain } from './explained-error.js';

/** Whoever asks again within this gets the same answer, so that no stranger makes requests to a bucket. */
const KEPT_MS = 5000;
/** A probe is over before an orchestrator loses its patience with it. */
const PATIENCE_MS = 800;

type Reached = 'ok' | ErrorCode;

/** Whether the place of the blobs answers, asked once at a time and not more often than every five seconds. */
export class BlobReach {
  #last: { readonly reached: Reached; readonly at: number } | undefined;
  #asking: Promise<Reached> | undefined;

  constructor(
    readonly blobs: Pick<Blobs, 'reach'>,
    readonly explain: Explain,
  ) {}

  /** `ok`, or the code of why not; `store-unavailable` too where the answer takes longer than 0.8 s. */
  async state(): Promise<Reached> {
    const now = performance.now();
    if (this.#last && now - this.#last.at < KEPT_MS) return this.#last.reached;
    this.#asking ??= this.#ask();
    return Promise.race([this.#asking, silence()]);
  }

  async #ask(): Promise<Reached> {
    const reached = await this.blobs.reach().then(
      () => 'ok' as const,
      (error) => this.explain(error).code,
    );
    this.#last = { reached, at: performance.now() };
    this.#asking = undefined;
    return reached;
  }
}

function silence(): Promise<ErrorCode> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('store-unavailable'), PATIENCE_MS).unref();
  });
}
