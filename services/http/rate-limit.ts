import type { RequestHandler } from 'express';
import { TacetError } from '../../proto/errors.js';
import { tokenOf } from './authentication.js';

interface Bucket {
  left: number;
  filledMs: number;
}

const MINUTE_MS = 60_000;
/** Beyond this many callers, those that are back at their full allowance are forgotten. */
const MAX_BUCKETS = 10_000;

/** A bucket of requests for each caller, refilled steadily. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    readonly perMinute: number,
    readonly clock: () => number = Date.now,
  ) {}

  /** Takes one request. Throws `rate-limited`. */
  take(caller: string): void {
    const bucket = this.#filled(caller);
    if (bucket.left < 1) {
      throw new TacetError('rate-limited', `more than ${this.perMinute} requests a minute; wait`);
    }
    bucket.left--;
  }

  /** Throws `rate-limited` where nothing is left, and takes nothing. */
  require(caller: string): void {
    if (this.#filled(caller).left >= 1) return;
    throw new TacetError('rate-limited', 'too many requests without a valid token; wait');
  }

  #filled(caller: string): Bucket {
    const nowMs = this.clock();
    const known = this.#buckets.get(caller);
    const bucket = known ?? { left: this.perMinute, filledMs: nowMs };
    const gained = ((nowMs - bucket.filledMs) / MINUTE_MS) * this.perMinute;
    bucket.left = Math.min(this.perMinute, bucket.left + gained);
    bucket.filledMs = nowMs;
    if (!known) this.#remember(caller, bucket, nowMs);
    return bucket;
  }

  #remember(caller: string, bucket: Bucket, nowMs: number): void {
    if (this.#buckets.size >= MAX_BUCKETS) {
      for (const [name, { filledMs }] of this.#buckets) {
        if (nowMs - filledMs >= MINUTE_MS) this.#buckets.delete(name);
      }
    }
    this.#buckets.set(caller, bucket);
  }
}

/** After authentication: each token has its own allowance. */
export function limitRate(limit: RateLimit): RequestHandler {
  return (request, response, next) => {
    try {
      limit.take(tokenOf(request).id);
    } catch (error) {
      response.set('Retry-After', '1');
      throw error;
    }
    next();
  };
}
