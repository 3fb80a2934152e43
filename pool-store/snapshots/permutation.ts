import { type Cipher, createCipheriv } from 'node:crypto';
import { sha256 } from '../../proto/digest.js';

const CHUNK = Buffer.alloc(4096);
const UINT32_VALUES = 2 ** 32;

/**
 * A uniform order of 0 .. n - 1 that follows from `seed` and `label` alone, on every machine:
 * Fisher-Yates over the AES-256-CTR key stream of their hash.
 */
export function permutation(n: number, seed: number, label: string): Uint32Array {
  const key = sha256(`${seed}/${label}`);
  const numbers = new KeyStream(createCipheriv('aes-256-ctr', key, Buffer.alloc(16)));
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = numbers.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

class KeyStream {
  #buffer: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(readonly cipher: Cipher) {}

  /** Uniform over 0 .. limit - 1: values above the last multiple of `limit` are drawn again. */
  below(limit: number): number {
    const end = UINT32_VALUES - (UINT32_VALUES % limit);
    for (;;) {
      const value = this.#next();
      if (value < end) return value % limit;
    }
  }

  #next(): number {
    if (this.#offset === this.#buffer.length) {
      this.#buffer = this.cipher.update(CHUNK);
      this.#offset = 0;
    }
    const value = this.#buffer.readUInt32LE(this.#offset);
    this.#offset += 4;
    return value;
  }
}
