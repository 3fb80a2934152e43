import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { sha256Hex } from '../../proto/digest.js';
import { publicKeyOf } from '../../proto/ed25519-key.js';
import { TacetError } from '../../proto/errors.js';
import { DIGEST, NAME, TIME } from '../../proto/schemas.js';
import { closedObject, nullable, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, now, type Statements } from '../catalog/catalog.js';
import {
  atMost,
  countOf,
  type Extent,
  isBehind,
  type Listing,
  type ListPart,
} from '../catalog/listing.js';
import type { ChangeLog } from '../log/change-log.js';

export const IDENTITY = closedObject(
  {
    /** SHA-256 of the raw public key. */
    keyId: DIGEST,
    /** The institution, provider or auditor that signs with the key. */
    name: NAME,
    requested: TIME,
    approved: nullable(TIME),
    revoked: nullable(TIME),
  },
  { title: 'Identity' },
);

/** A public key and whose it is. It counts once an administrator approved it, until one revokes it. */
export type Identity = TypeOf<typeof IDENTITY>;

const COLUMNS = ['key_id as keyId', 'name', 'requested', 'approved', 'revoked'] as const;

/** The Ed25519 public keys whose signatures the store accepts. */
export class Identities {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Records a request, once `admit` has let it pass; asking again changes nothing. Throws `key-invalid`, `conflict` for
   * another's or a revoked key, or `too-many-waiting` where so many of the name wait already.
   */
  async request(
    name: string,
    rawKey: Uint8Array,
    mostWaiting = Number.POSITIVE_INFINITY,
    admit = () => {},
  ): Promise<Identity> {
    publicKeyOf(rawKey);
    const keyId = sha256Hex(rawKey);
    return this.catalog.write(async (transaction) => {
      const known = await this.#find(keyId, transaction);
      if (known && known.name !== name) {
        throw new TacetError('conflict', `key ${keyId} is registered under another name`);
      }
      if (known?.revoked) throw revokedForGood(keyId);
      if (known) return known;
      admit();
      const waiting = await countOf(
        transaction,
        sql`FROM identities WHERE name = ${name} AND approved IS NULL AND revoked IS NULL`,
      );
      if (waiting >= mostWaiting)
        throw new TacetError(
          'too-many-waiting',
          `${waiting} keys of ${name} wait for approval, and no more may; an administrator approves those that are ` +
            `${name}'s and revokes the others (tacet identity approve, revoke)`,
        );
      await transaction
        .insertInto('identities')
        .values({
          key_id: keyId,
          name,
          public_key: rawKey,
          requested: now(),
          approved: null,
          revoked: null,
        })
        .execute();
      await this.log.append(transaction, 'identity-requested', keyId, { name });
      return this.get(keyId, transaction);
    });
  }

  /** Throws `not-found`, `conflict` for a revoked key, and `key-invalid` for one that was asked for when it still passed. */
  approve(keyId: string): Promise<Identity> {
    return this.catalog.write(async (transaction) => {
      const identity = await this.get(keyId, transaction);
      if (identity.revoked !== null) throw revokedForGood(keyId);
      if (identity.approved !== null) return identity;
      const { public_key: rawKey } = await transaction
        .selectFrom('identities')
        .select('public_key')
        .where('key_id', '=', keyId)
        .executeTakeFirstOrThrow();
      publicKeyOf(rawKey);
      await transaction
        .updateTable('identities')
        .set({ approved: now() })
        .where('key_id', '=', keyId)
        .execute();
      await this.log.append(transaction, 'identity-approved', keyId);
      return this.get(keyId, transaction);
    });
  }

  /**
   * Ends the trust in a key for good, or refuses one that waits: what it signs from now on counts for nobody. What was
   * accepted before stays. Revoking it again changes nothing. Throws `not-found`.
   */
  revoke(keyId: string): Promise<Identity> {
    return this.catalog.write(async (transaction) => {
      const identity = await this.get(keyId, transaction);
      if (identity.revoked !== null) return identity;
      await transaction
        .updateTable('identities')
        .set({ revoked: now() })
        .where('key_id', '=', keyId)
        .execute();
      await this.log.append(transaction, 'identity-revoked', keyId);
      return this.get(keyId, transaction);
    });
  }

  /** Throws `not-found`. */
  async get(keyId: string, statements: Statements = this.catalog.read): Promise<Identity> {
    const identity = await this.#find(keyId, statements);
    if (!identity) throw new TacetError('not-found', `there is no identity ${keyId}`);
    return identity;
  }

  /** How many keys wait for an administrator. */
  waiting(): Promise<number> {
    return countOf(
      this.catalog.read,
      sql`FROM identities WHERE approved IS NULL AND revoked IS NULL`,
    );
  }

  /** Those that wait first, then the newest first. */
  async page({ offset, limit }: Extent): Promise<Listing<Identity>> {
    const { read } = this.catalog;
    const rows = await read
      .selectFrom('identities')
      .select(COLUMNS)
      .orderBy(sql`approved IS NOT NULL OR revoked IS NOT NULL`)
      .orderBy('requested', 'desc')
      .orderBy('key_id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { rows, total: await countOf(read, sql`FROM identities`) };
  }

  /** Oldest first. */
  list({ after, limit }: ListPart = {}): Promise<Identity[]> {
    return this.catalog.read
      .selectFrom('identities')
      .select(COLUMNS)
      .where(isBehind(after, 'requested', 'key_id'))
      .orderBy('requested')
      .orderBy('key_id')
      .modifyEnd(atMost(limit))
      .execute();
  }

  /** The approved keys of `name` that were not revoked; one that an earlier version approved and this one refuses is none. */
  async keysOf(name: string): Promise<KeyObject[]> {
    const rows = await this.catalog.read
      .selectFrom('identities')
      .select('public_key')
      .where('name', '=', name)
      .where('approved', 'is not', null)
      .where('revoked', 'is', null)
      .execute();
    return rows.flatMap(({ public_key: rawKey }) => {
      try {
        return [publicKeyOf(rawKey)];
      } catch (error) {
        if (error instanceof TacetError && error.code === 'key-invalid') return [];
        throw error;
      }
    });
  }

  #find(keyId: string, statements: Statements): Promise<Identity | undefined> {
    return statements
      .selectFrom('identities')
      .select(COLUMNS)
      .where('key_id', '=', keyId)
      .executeTakeFirst();
  }
}

function revokedForGood(keyId: string): TacetError {
  return new TacetError(
    'conflict',
    `key ${keyId} is revoked for good; make another key and ask for that`,
  );
}
