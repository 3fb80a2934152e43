import type { Response } from 'express';
import { TacetError } from '../../proto/errors.js';

interface Bucket {
  left: number;
  filledMs: number;
}

const MINUTE_MS = 60_000;
/** Beyond this many callers, the one that has been away the longest is forgotten. */
const MAX_BUCKETS = 10_000;

export interface RateLimitOptions {
  readonly perMinute: number;
  /** What is counted, in words. */
  readonly of?: string;
  /** In milliseconds, never back: a machine's time of day may be set back. */
  readonly clock?: () => number;
}

/** A bucket of requests for each caller, refilled steadily. */
export class RateLimit {
  /** Those that came last stand last. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #perMinute: number;
  readonly #of: string;
  readonly #clock: () => number;

  constructor({ perMinute, of = 'requests', clock = () => performance.now() }: RateLimitOptions) {
    this.#perMinute = perMinute;
    this.#of = of;
    this.#clock = clock;
  }

  /** Takes one request. Throws `rate-limited`, and tells the client when to come again. */
  take(caller: string, response?: Response): void {
    const bucket = this.#filled(caller);
    if (bucket.left >= 1) {
      bucket.left--;
      return;
    }
    response?.set('Retry-After', '1');
    throw new TacetError('rate-limited', `more than ${this.#perMinute} ${this.#of} a minute; wait`);
  }

  #filled(caller: string): Bucket {
    const nowMs = this.#clock();
    const bucket = this.#buckets.get(caller) ?? { left: this.#perMinute, filledMs: nowMs };
    const gained = ((nowMs - bucket.filledMs) / MINUTE_MS) * this.#perMinute;
    bucket.left = Math.min(this.#perMinute, bucket.left + gained);
    bucket.filledMs = nowMs;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= MAX_BUCKETS) return;
    const { value: oldest } = this.#buckets.keys().next();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
