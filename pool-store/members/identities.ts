import type { KeyObject } from 'node:crypto';
import { sha256Hex } from '../../proto/digest.js';
import { publicKeyOf } from '../../proto/ed25519-key.js';
import { TacetError } from '../../proto/errors.js';
import { DIGEST, NAME, TIME } from '../../proto/schemas.js';
import { closedObject, nullable, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, type CatalogTransaction, now, type Statements } from '../catalog/catalog.js';
import { sql } from '../catalog/kysely.js';
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

interface IdentityRequest {
  readonly name: string;
  readonly rawKey: Uint8Array;
  readonly mostWaiting: number;
  admit(): void;
}

const COLUMNS = ['key_id as keyId', 'name', 'requested', 'approved', 'revoked'] as const;

/** The Ed25519 public keys whose signatures the store accepts. */
export class Identities {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /**
   * Records a request, once `admit` has let it pass; asking again changes nothing. Throws `key-invalid`, `conflict` for a
   * key that is revoked or that another name has or asked for, or `too-many-waiting` where so many of the name wait already.
   */
  async request(
    name: string,
    rawKey: Uint8Array,
    mostWaiting = Number.POSITIVE_INFINITY,
    admit = () => {},
  ): Promise<Identity> {
    publicKeyOf(rawKey);
    return this.catalog.write((transaction) =>
      this.#request(transaction, { name, rawKey, mostWaiting, admit }),
    );
  }

  /**
   * Records a key and approves it, which refuses the request of another name that waits for it: nobody showed that they hold
   * a key that they ask for. Throws `key-invalid`, and `conflict` for a key that is revoked or another's.
   */
  async register(name: string, rawKey: Uint8Array, admit = () => {}): Promise<Identity> {
    publicKeyOf(rawKey);
    const mostWaiting = Number.POSITIVE_INFINITY;
    return this.catalog.write(async (transaction) => {
      const known = await this.#find(sha256Hex(rawKey), transaction);
      if (known && known.name !== name && isWaiting(known)) await this.#refuse(transaction, known);
      const { keyId } = await this.#request(transaction, { name, rawKey, mostWaiting, admit });
      return this.#approve(transaction, keyId);
    });
  }

  /** Throws `not-found`, `conflict` for a revoked key, and `key-invalid` for one that was asked for when it still passed. */
  approve(keyId: string): Promise<Identity> {
    return this.catalog.write((transaction) => this.#approve(transaction, keyId));
  }

  /** Refuses a key that waits, which whoever holds it may ask for again; revokes any other. Throws `not-found`. */
  end(keyId: string): Promise<Identity> {
    return this.catalog.write(async (transaction) => {
      const identity = await this.get(keyId, transaction);
      if (!isWaiting(identity)) return this.#revoke(transaction, keyId);
      await this.#refuse(transaction, identity);
      return identity;
    });
  }

  /**
   * Ends the trust in a key for good: what it signs from now on counts for nobody. What was accepted before stays. Revoking
   * it again changes nothing. Throws `not-found`.
   */
  revoke(keyId: string): Promise<Identity> {
    return this.catalog.write((transaction) => this.#revoke(transaction, keyId));
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

  async #request(
    transaction: CatalogTransaction,
    { name, rawKey, mostWaiting, admit }: IdentityRequest,
  ): Promise<Identity> {
    const keyId = sha256Hex(rawKey);
    const known = await this.#find(keyId, transaction);
    if (known && known.name !== name) throw ofAnother(known, name);
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
          `${name}'s and refuses the others (tacet identity approve, revoke)`,
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
  }

  async #approve(transaction: CatalogTransaction, keyId: string): Promise<Identity> {
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
  }

  async #revoke(transaction: CatalogTransaction, keyId: string): Promise<Identity> {
    const identity = await this.get(keyId, transaction);
    if (identity.revoked !== null) return identity;
    await transaction
      .updateTable('identities')
      .set({ revoked: now() })
      .where('key_id', '=', keyId)
      .execute();
    await this.log.append(transaction, 'identity-revoked', keyId);
    return this.get(keyId, transaction);
  }

  async #refuse(transaction: CatalogTransaction, { keyId, name }: Identity): Promise<void> {
    await transaction.deleteFrom('identities').where('key_id', '=', keyId).execute();
    await this.log.append(transaction, 'identity-refused', keyId, { name });
  }

  #find(keyId: string, statements: Statements): Promise<Identity | undefined> {
    return statements
      .selectFrom('identities')
      .select(COLUMNS)
      .where('key_id', '=', keyId)
      .executeTakeFirst();
  }
}

/** Whether no administrator has said anything of it yet. */
export function isWaiting({ approved, revoked }: Identity): boolean {
  return approved === null && revoked === null;
}

function ofAnother(known: Identity, name: string): TacetError {
  const { keyId } = known;
  return new TacetError(
    'conflict',
    isWaiting(known)
      ? `key ${keyId} was asked for as ${known.name}'s and waits for approval; where it is ${name}'s, an administrator ` +
          `says so by asking for it (tacet identity request --name ${name}, with a token of an administrator)`
      : `key ${keyId} is registered under another name`,
  );
}

function revokedForGood(keyId: string): TacetError {
  return new TacetError(
    'conflict',
    `key ${keyId} is revoked for good; make another key and ask for that`,
  );
}
