import type { KeyObject } from 'node:crypto';
import { sha256Hex } from '../proto/digest.js';
import { publicKeyOf } from '../proto/ed25519-key.js';
import { TacetError } from '../proto/errors.js';
import { DIGEST, NAME, TIME } from '../proto/schemas.js';
import { closedObject, nullable, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { countOf, type Extent, type Listing } from './listing.js';

export const IDENTITY = closedObject(
  {
    /** SHA-256 of the raw public key. */
    keyId: DIGEST,
    /** The institution, provider or auditor that signs with the key. */
    name: NAME,
    requested: TIME,
    approved: nullable(TIME),
  },
  { title: 'Identity' },
);

/** A public key and whose it is. It counts once an administrator approved it. */
export type Identity = TypeOf<typeof IDENTITY>;

const COLUMNS = 'key_id AS keyId, name, requested, approved';

/** The Ed25519 public keys whose signatures the store accepts. */
export class Identities {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /** Records a request; asking again changes nothing. Throws `key-invalid` or `conflict`. */
  request(name: string, rawKey: Uint8Array): Identity {
    publicKeyOf(rawKey);
    const keyId = sha256Hex(rawKey);
    return inTransaction(this.catalog, () => {
      const known = this.#find(keyId);
      if (known && known.name !== name) {
        throw new TacetError('conflict', `key ${keyId} is registered under another name`);
      }
      if (known) return known;
      this.catalog.run(
        'INSERT INTO identities VALUES (?, ?, ?, ?, NULL)',
        keyId,
        name,
        rawKey,
        now(),
      );
      this.log.append('identity-requested', keyId, { name });
      return this.get(keyId);
    });
  }

  /** Throws `not-found`, and `key-invalid` for a key that was asked for when it still passed. */
  approve(keyId: string): Identity {
    return inTransaction(this.catalog, () => {
      if (this.get(keyId).approved === null) {
        for (const rawKey of this.#rawKeys('key_id = ?', keyId)) publicKeyOf(rawKey);
        this.catalog.run('UPDATE identities SET approved = ? WHERE key_id = ?', now(), keyId);
        this.log.append('identity-approved', keyId);
      }
      return this.get(keyId);
    });
  }

  /** Throws `not-found`. */
  get(keyId: string): Identity {
    const identity = this.#find(keyId);
    if (!identity) throw new TacetError('not-found', `there is no identity ${keyId}`);
    return identity;
  }

  /** How many keys wait for an administrator. */
  waiting(): number {
    return countOf(this.catalog, 'FROM identities WHERE approved IS NULL');
  }

  /** Those that wait first, then the newest first. */
  page({ offset, limit }: Extent): Listing<Identity> {
    const rows = this.catalog.all<Identity>(
      `SELECT ${COLUMNS} FROM identities
         ORDER BY approved IS NOT NULL, requested DESC, key_id LIMIT ? OFFSET ?`,
      limit,
      offset,
    );
    return { rows, total: countOf(this.catalog, 'FROM identities') };
  }

  list(): Identity[] {
    return this.catalog.all<Identity>(
      `SELECT ${COLUMNS} FROM identities ORDER BY requested, key_id`,
    );
  }

  /** The approved keys of `name`; one that an earlier version approved and this one refuses is none. */
  keysOf(name: string): KeyObject[] {
    return this.#rawKeys('name = ? AND approved IS NOT NULL', name).flatMap((rawKey) => {
      try {
        return [publicKeyOf(rawKey)];
      } catch (error) {
        if (error instanceof TacetError && error.code === 'key-invalid') return [];
        throw error;
      }
    });
  }

  #rawKeys(condition: string, value: string): Uint8Array[] {
    return this.catalog
      .all<{ rawKey: Uint8Array }>(
        `SELECT public_key AS rawKey FROM identities WHERE ${condition}`,
        value,
      )
      .map(({ rawKey }) => rawKey);
  }

  #find(keyId: string): Identity | undefined {
    return this.catalog.get<Identity>(`SELECT ${COLUMNS} FROM identities WHERE key_id = ?`, keyId);
  }
}
