import type { Response } from 'express';
import { TacetError } from '../../proto/errors.js';

const RETRY_SECONDS = 10;
/** Of all places, so that nobody keeps everybody else from reading. */
const SHARE_OF_ONE = 0.5;

/** Places for so many readings at a time, of which one token has a half at most, and one at least. */
export class ReadingPlaces {
  /** By token, for those that read. */
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(readonly places: number) {}

  /**
   * Reads in a place for the token of this id. Throws `rate-limited`, and tells the client when to come again, where all
   * places are taken or the token has its share.
   */
  async hold<T>(token: string, response: Response, read: () => Promise<T>): Promise<T> {
    this.#requirePlace(token, response);
    this.#change(token, 1);
    try {
      return await read();
    } finally {
      this.#change(token, -1);
    }
  }

  #requirePlace(token: string, response: Response): void {
    const most = Math.max(1, Math.floor(this.places * SHARE_OF_ONE));
    const held = this.#heldBy(token);
    if (this.#taken < this.places && held < most) return;
    response.set('Retry-After', String(RETRY_SECONDS));
    throw new TacetError(
      'rate-limited',
      this.#taken >= this.places
        ? `${this.#taken} snapshots are being read; wait`
        : `this token reads ${held} snapshots, and no more may one token at a time; wait until one of them has ended`,
    );
  }

  #change(token: string, by: 1 | -1): void {
    this.#taken += by;
    const held = this.#heldBy(token) + by;
    if (held === 0) this.#held.delete(token);
    else this.#held.set(token, held);
  }

  #heldBy(token: string): number {
    return this.#held.get(token) ?? 0;
  }
}
