import type { Random } from '../tensor/random.js';
import type { Batch } from './batch.js';
import type { TextExample, VectorExample } from './examples.js';

/** What a run trains on, in batches. */
export interface Supply<E extends TextExample | VectorExample> {
  /** Of all batches of an epoch together. */
  readonly tokensPerEpoch: number;
  batches(random: Random, epoch: number): Iterable<Batch<E>> | AsyncIterable<Batch<E>>;
  /** The same after every epoch. */
  validation(): Iterable<Batch<E>>;
}
