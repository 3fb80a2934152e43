import { createCipheriv, createHash } from 'node:crypto';
import { hasAddon, nativeFunction } from './addon.js';
import { kernelRandom } from './kernel-random.js';

const KEY_WORDS = 8;
const KEY_BYTES = KEY_WORDS * Uint32Array.BYTES_PER_ELEMENT;
/** The native function makes the words of sixteen blocks at a time. */
const WORDS_A_GROUP = 256;
const CLOCK_BYTES = 16;
/** A key serves one stream, so that counter and nonce may begin at 0. */
const START = Buffer.alloc(16);

/** Fills `words` with the next words of a stream; whoever is done with them wipes them. */
export type Fill = (words: Uint32Array) => void;

/**
 * Gives `use` random words that nobody can draw again: ChaCha20 under a key that the kernel's generator
 * gives at this moment and that is wiped in the end. Keep no stream for later: it would go on alike in
 * both copies of a virtual machine. Throws `randomness-missing`.
 */
export function withSecureStream<T>(use: (fill: Fill) => T): T {
  return withSecureKey((key) => use(hasAddon() ? nativeStream(key) : cipherStream(key)));
}

/** As `withSecureStream`, for a kernel that draws one stream itself: its key [8]. */
export function withSecureKey<T>(use: (key: Uint32Array) => T): T {
  const key = freshKey();
  try {
    return use(key);
  } finally {
    key.fill(0);
  }
}

/**
 * The clocks add nothing that could not be guessed. They keep the copies of a machine apart where its
 * hypervisor does not tell the kernel of the copy, which then starts anew only within a minute.
 */
function freshKey(): Uint32Array {
  const random = kernelRandom(KEY_BYTES);
  const clocks = Buffer.alloc(CLOCK_BYTES);
  clocks.writeBigUInt64LE(process.hrtime.bigint());
  clocks.writeDoubleLE(Date.now(), CLOCK_BYTES / 2);
  const digest = createHash('sha256').update(random).update(clocks).digest();
  const key = new Uint32Array(KEY_WORDS);
  digest.copy(new Uint8Array(key.buffer));
  random.fill(0);
  digest.fill(0);
  return key;
}

function nativeStream(key: Uint32Array): Fill {
  const chacha = nativeFunction('chachaWords');
  let group = 0;
  return (to) => {
    chacha(key, group, to);
    group += Math.ceil(to.length / WORDS_A_GROUP);
  };
}

/** Without the addon, by OpenSSL: the same words in another order. */
function cipherStream(key: Uint32Array): Fill {
  const cipher = createCipheriv('chacha20', new Uint8Array(key.buffer), START);
  return (to) => {
    const bytes = cipher.update(Buffer.alloc(to.byteLength));
    Buffer.from(to.buffer, to.byteOffset, to.byteLength).set(bytes);
    bytes.fill(0);
  };
}
