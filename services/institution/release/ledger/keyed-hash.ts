import { hash } from 'node:crypto';

const ALGORITHM = 'sha256';
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
const FIRST_TEXT_BYTES = 4096;

/**
 * HMAC-SHA-256 (RFC 2104) of many short texts under one key: H(key ^ opad, H(key ^ ipad, text)), both
 * in one call of the library's hash. An object of the library for each text would cost more than the
 * hash itself.
 */
export class KeyedHash {
  /** The padded key with room for a text behind it. */
  #inner: Buffer;
  /** The padded key with room for the inner hash behind it. */
  readonly #outer: Buffer;

  /** `key`: at most 64 bytes. */
  constructor(key: Uint8Array) {
    this.#inner = padded(key, INNER_PAD, FIRST_TEXT_BYTES);
    this.#outer = padded(key, OUTER_PAD, HASH_BYTES);
  }

  of(text: string): Buffer {
    return this.#ofFirst(this.#write(text));
  }

  /** Of the text `head` and then of pieces of `bytes`, each from `places[2i]` up to `places[2i + 1]`. */
  ofPieces(head: string, bytes: Uint8Array, places: Int32Array): Buffer {
    let length = 3 * head.length;
    for (let i = 0; i < places.length; i += 2)
      length += (places[i + 1] as number) - (places[i] as number);
    this.#reserve(length);
    let at = BLOCK_BYTES + this.#write(head);
    const inner = this.#inner;
    // Pieces are of a few bytes: a call for each would take longer.
    for (let i = 0; i < places.length; i += 2)
      for (let from = places[i] as number; from < (places[i + 1] as number); from++)
        inner[at++] = bytes[from] as number;
    return this.#ofFirst(at - BLOCK_BYTES);
  }

  /** Of the first bytes of the text that is written. */
  #ofFirst(length: number): Buffer {
    const inner = hash(ALGORITHM, this.#inner.subarray(0, BLOCK_BYTES + length), 'binary');
    this.#outer.write(inner, BLOCK_BYTES, 'binary');
    return Buffer.from(hash(ALGORITHM, this.#outer, 'binary'), 'binary');
  }

  /** Returns the bytes of the text. */
  #write(text: string): number {
    this.#reserve(3 * text.length);
    return this.#inner.write(text, BLOCK_BYTES, 'utf8');
  }

  #reserve(textBytes: number): void {
    const most = BLOCK_BYTES + textBytes;
    if (most <= this.#inner.length) return;
    const larger = Buffer.alloc(2 * most);
    this.#inner.copy(larger, 0, 0, BLOCK_BYTES);
    this.#inner.fill(0);
    this.#inner = larger;
  }
}

function padded(key: Uint8Array, pad: number, room: number): Buffer {
  if (key.length > BLOCK_BYTES) throw new RangeError(`a key of more than ${BLOCK_BYTES} bytes`);
  const bytes = Buffer.alloc(BLOCK_BYTES + room);
  for (let i = 0; i < BLOCK_BYTES; i++) bytes[i] = (key[i] ?? 0) ^ pad;
  return bytes;
}
