import { createHash } from 'node:crypto';
import { uniformInteger } from '../../platform/uniform-integer.js';
import { TacetError } from '../../proto/errors.js';
import { normalsOf } from './normal-table.js';
import { type PhiloxKey, type StreamPosition, WORDS_A_BLOCK } from './philox.js';
import { streamNoiseWords, streamWords } from './stream-words.js';

/** Single draws are computed this many words ahead. */
const BUFFERED_WORDS = 256;
const WORD_RANGE = 2 ** 32;

/**
 * The seeded randomness of training: one Philox stream, whose whole state is a key and a position.
 * Equal seeds give equal draws on every machine. It must never make the noise of a release; that
 * is `secureNormals`.
 */
export class Random {
  private readonly key: PhiloxKey;
  private counter = 0;
  private buffer: Uint32Array = new Uint32Array(0);
  private bufferStart = 0;

  /** `seed` is an integer from 0 to 2^53 - 1. */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new TacetError('usage', `seed is ${seed}; expected an integer from 0 to 2^53 - 1`);
    }
    this.key = [seed >>> 0, Math.floor(seed / WORD_RANGE)];
  }

  static restore(state: StreamPosition): Random {
    return Random.at(state.key, state.counter);
  }

  private static at(key: PhiloxKey, counter: number): Random {
    const random = new Random(0);
    return Object.assign(random, { key: [...key], counter });
  }

  /** What `restore` needs to go on from here. */
  save(): StreamPosition {
    return { key: this.key, counter: this.counter };
  }

  /**
   * An independent stream that depends on this stream's key and `label` alone, not on what has been
   * drawn: parts that fork their own streams cannot shift each other's draws.
   */
  fork(label: string): Random {
    const digest = createHash('sha256')
      .update(Uint32Array.from(this.key))
      .update(label, 'utf8')
      .digest();
    return Random.at([digest.readUInt32LE(0), digest.readUInt32LE(4)], 0);
  }

  /** A number in [0, 1), a multiple of 2^-32. */
  uniform(): number {
    return this.word() / WORD_RANGE;
  }

  /** An integer in [0, n), every one equally likely; n is from 1 to 2^32. */
  integer(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > WORD_RANGE) {
      throw new TacetError('tensor-invalid', `Random.integer: n is ${n}; expected 1 to 2^32`);
    }
    return uniformInteger(n, () => this.word());
  }

  /** `n` numbers in [0, 1), multiples of 2^-24. */
  uniforms(n: number): Float32Array {
    const words = streamWords(this.take(n), n);
    const uniforms = new Float32Array(n);
    for (let i = 0; i < n; i++) uniforms[i] = ((words[i] as number) >>> 8) / 2 ** 24;
    return uniforms;
  }

  /** `n` standard normal numbers. */
  normals(n: number): Float32Array {
    return normalsOf(streamNoiseWords(this.take(n), n));
  }

  /** Sorts `array` into a uniformly random order, in place (Fisher-Yates). */
  shuffle<T>(array: T[]): void {
    for (let last = array.length - 1; last > 0; last--) {
      const other = this.integer(last + 1);
      [array[last], array[other]] = [array[other] as T, array[last] as T];
    }
  }

  /**
   * Sets a stretch of at least `words` words aside for an op that draws them itself, once or, in
   * its backward pass, again. Stretches start and end at block boundaries.
   */
  take(words: number): StreamPosition {
    const start = Math.ceil(this.counter / WORDS_A_BLOCK) * WORDS_A_BLOCK;
    this.counter = start + Math.ceil(words / WORDS_A_BLOCK) * WORDS_A_BLOCK;
    return { key: this.key, counter: start };
  }

  private word(): number {
    const offset = this.counter - this.bufferStart;
    if (offset < 0 || offset >= this.buffer.length) {
      this.buffer = streamWords(this.save(), BUFFERED_WORDS);
      this.bufferStart = this.counter;
    }
    const word = this.buffer[this.counter - this.bufferStart] as number;
    this.counter++;
    return word;
  }
}
