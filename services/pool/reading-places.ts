import type { Response } from 'express';
import { TacetError } from '../../proto/errors.js';

const RETRY_SECONDS = 10;
/** Of all places, so that nobody keeps everybody else from reading. */
const SHARE_OF_ONE = 0.5;

interface Reading {
  readonly token: string;
  readonly giveWay: () => boolean;
}

/** Places for so many readings at a time, of which one token has a half at most, and one at least. */
export class ReadingPlaces {
  /** The one that began first is the first. */
  readonly #readings = new Set<Reading>();

  constructor(readonly places: number) {}

  /**
   * Reads in a place for the token of this id. Throws `rate-limited`, and tells the client when to come again, where all
   * places are taken or the token has its share. Others are made room for where `giveWay` ends what is read and returns
   * that it does.
   */
  async hold<T>(
    token: string,
    response: Response,
    read: () => Promise<T>,
    giveWay = () => false,
  ): Promise<T> {
    this.#requirePlace(token, response);
    const reading = { token, giveWay };
    this.#readings.add(reading);
    try {
      return await read();
    } finally {
      this.#readings.delete(reading);
    }
  }

  #requirePlace(token: string, response: Response): void {
    for (const reading of this.#readings) {
      if (this.#isFree(token)) return;
      const isInTheWay = !this.#hasShare(token) || reading.token === token;
      if (isInTheWay && reading.giveWay()) this.#readings.delete(reading);
    }
    if (this.#isFree(token)) return;
    response.set('Retry-After', String(RETRY_SECONDS));
    const taken = this.#readings.size;
    throw new TacetError(
      'rate-limited',
      taken >= this.places
        ? `${taken} snapshots are being read; wait`
        : `this token reads ${this.#heldBy(token)} snapshots, and no more may one token at a time; wait until one of them has ended`,
    );
  }

  #isFree(token: string): boolean {
    return this.#readings.size < this.places && !this.#hasShare(token);
  }

  #hasShare(token: string): boolean {
    return this.#heldBy(token) >= Math.max(1, Math.floor(this.places * SHARE_OF_ONE));
  }

  #heldBy(token: string): number {
    return [...this.#readings].filter((reading) => reading.token === token).length;
  }
}
