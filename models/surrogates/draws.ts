import { createCipheriv } from 'node:crypto';
import { uniformInteger } from '../../platform/uniform-integer.js';

/** Where the choices of a surrogate come from: seeded in training, secret in a release. */
export interface Draws {
  /** An integer in [0, n), every one equally likely; n is from 1 to 2^32. */
  integer(n: number): number;
}

const WORD_BYTES = 4;
const PIECE = Buffer.alloc(1024);
/** A key serves one stream, so that counter and nonce may begin at 0. */
const START = Buffer.alloc(16);

/** The draws that follow from a secret key of 32 bytes: ChaCha20 (RFC 8439). */
export function secretDraws(key: Uint8Array): Draws {
  const cipher = createCipheriv('chacha20', key, START);
  let words = Buffer.alloc(0);
  let at = 0;
  const word = () => {
    if (at === words.length) {
      words = cipher.update(PIECE);
      at = 0;
    }
    const value = words.readUInt32LE(at);
    at += WORD_BYTES;
    return value;
  };
  return { integer: (n) => uniformInteger(n, word) };
}
