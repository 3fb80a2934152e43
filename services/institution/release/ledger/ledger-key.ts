import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory, writeDurably } from '../../../../platform/files/durable-file.js';
import { TacetError } from '../../../../proto/errors.js';
import { KeyedHash } from './keyed-hash.js';
import type { RowFrames } from './row-frames.js';

const KEY_BYTES = 32;
const ID_BYTES = 16;
const SEED_BYTES = 6;
const OTHERS = 0o077;

/**
 * The key of the ledger's hashes, in a file of its own: without it nobody can test whether a sentence
 * is in a stolen ledger. The ledger in turn holds a check value of the key, so that neither half is
 * ever replaced unnoticed, which would make every sentence look new.
 */
export class LedgerKey {
  readonly #hash: KeyedHash;

  private constructor(key: Uint8Array) {
    this.#hash = new KeyedHash(key);
  }

  /**
   * Makes a key under a provisional name; `settle` gives it its own name once the ledger has stored
   * its check value.
   */
  static async create(home: string): Promise<LedgerKey> {
    await LedgerKey.requireNone(home);
    const key = randomBytes(KEY_BYTES);
    await rm(provisionalFile(home), { force: true });
    await writeDurably(provisionalFile(home), key, 0o600);
    await syncDirectory(home);
    return new LedgerKey(key);
  }

  /** Throws `ledger-invalid` where there is a key, for whoever found no ledger. */
  static async requireNone(home: string): Promise<void> {
    if (await exists(keyFile(home))) throw lost(home, 'ledger.db', 'ledger.key');
  }

  static async settle(home: string): Promise<void> {
    if (await exists(keyFile(home))) return;
    if (!(await exists(provisionalFile(home)))) throw lost(home, 'ledger.key', 'ledger.db');
    await rename(provisionalFile(home), keyFile(home));
    await syncDirectory(home);
  }

  static async read(home: string, check: Uint8Array): Promise<LedgerKey> {
    const file = keyFile(home);
    if (((await stat(file)).mode & OTHERS) !== 0)
      throw new TacetError('key-invalid', `${file}: other users may read it; run chmod 600 on it`);
    const bytes = await readFile(file);
    const key = bytes.length === KEY_BYTES ? new LedgerKey(bytes) : undefined;
    if (!key || !timingSafeEqual(key.check(), check))
      throw new TacetError(
        'ledger-invalid',
        `${file}: not the key that this ledger was made with; restore both from one backup`,
      );
    return key;
  }

  /** Id of the ledger whose key is in `home`; undefined where there is none. */
  static async idIn(home: string): Promise<string | undefined> {
    const bytes = await readFile(keyFile(home)).catch(() => undefined);
    return bytes && new LedgerKey(bytes).id();
  }

  /** Of a ledger that is removed itself. */
  static async remove(home: string): Promise<void> {
    await rm(keyFile(home));
  }

  /** A value that tells whether two keys are one, and nothing else about them. */
  check(): Buffer {
    return this.#hash.of('tacet ledger key check');
  }

  /** Names the ledger to people; tells nothing about the key. */
  id(): string {
    return this.#hash.of('tacet ledger id').toString('hex', 0, ID_BYTES);
  }

  /** Where the draws of certificates begin, from 0 to 2^48 - 1: secret, and always the same. */
  certificateSeed(): number {
    return this.#hash.of('tacet certificate draws').readUIntBE(0, SEED_BYTES);
  }

  /** What surrogates are drawn by: secret, and always the same, so that a job that is run again draws alike. */
  surrogateSecret(): Buffer {
    return this.#hash.of('tacet surrogates');
  }

  /** What the map of releases is encrypted with (AES-256). */
  mapKey(): Buffer {
    return this.#hash.of('tacet release map');
  }

  /** Of a sentence of a copy of a masked document (`MaskedDocument`), by the copy's own keyed hash in hex. */
  hashPlace(document: string, ordinal: number): Buffer {
    return this.#hash.of(`place ${document} ${ordinal}`);
  }

  /** Of a sentence's rows with one mark for each entity: what is alike but for its entities. */
  hashMasked({ bytes }: RowFrames, places: Int32Array): Buffer {
    return this.#hash.ofPieces(`masked ${places.length / 2}`, bytes, places);
  }

  /**
   * HMAC-SHA-256 of the embedding rows that a model sees: two spellings with the same rows are one
   * sentence. One sentence is one under all models, or a provider could sign nearly equal weights
   * again and again and average the noise of the releases away.
   */
  hashSentence(rowKeys: readonly string[]): Buffer {
    return this.hashSequence('sentence', rowKeys.map(framed));
  }

  /** As `hashSentence`, of keys that are framed already. */
  hashFramedRows({ bytes }: RowFrames, places: Int32Array): Buffer {
    return this.#hash.ofPieces(`sentence ${places.length / 2}`, bytes, places);
  }

  /** HMAC-SHA-256 of an entity's words: one name is one entity under all models. */
  hashEntity(words: readonly string[]): Buffer {
    return this.hashSequence('entity', words.map(framed));
  }

  private hashSequence(what: string, frames: readonly string[]): Buffer {
    return this.#hash.of(`${what} ${frames.length}${frames.join('')}`);
  }
}

/** A part of a sequence with its length before it, so that no two sequences give the same bytes. */
export function framed(part: string): string {
  return ` ${Buffer.byteLength(part)} ${part}`;
}

function keyFile(home: string): string {
  return join(home, 'ledger.key');
}

function provisionalFile(home: string): string {
  return join(home, 'ledger.key.new');
}

function lost(home: string, missing: string, present: string): TacetError {
  return new TacetError(
    'ledger-invalid',
    `${join(home, missing)}: missing although ${present} is there; restore it from a backup, ` +
      'since without it sentences could be released again',
  );
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
