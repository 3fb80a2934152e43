import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { NAME, TIME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { type Catalog, now } from '../catalog/catalog.js';
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

export const ROLES = [
  'provider',
  'institution',
  'auditor',
  'consumer',
  'monitor',
  'admin',
] as const;
export type Role = (typeof ROLES)[number];

/** Who takes part; a monitor reads the metrics alone. */
export const MEMBERS: readonly Role[] = ROLES.filter((role) => role !== 'monitor');

export const TOKEN = closedObject(
  {
    id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    role: oneOf(ROLES),
    /** Who holds it; an institution's token speaks for the institution of this name. */
    name: NAME,
    created: TIME,
    expires: nullable(TIME),
    revoked: nullable(TIME),
  },
  { title: 'Token' },
);

export type Token = TypeOf<typeof TOKEN>;

/** What is shown once, when a token is made or gets a new secret. */
export const TOKEN_SECRET = closedObject(
  { id: TOKEN.properties.id, token: Type.String() },
  { title: 'TokenSecret' },
);

export const NEW_TOKEN = closedObject({
  role: oneOf(ROLES),
  name: NAME,
  /** RFC 3339, a time to come; without it the token does not expire. */
  expires: Type.Optional(TIME),
});
export type NewToken = TypeOf<typeof NEW_TOKEN>;

/** What is known of a token to those who do not hold it. */
export const TOKEN_COLUMNS = ['id', 'role', 'name', 'created', 'expires', 'revoked'] as const;
const FORM = /^([0-9a-f]{16})\.([A-Za-z0-9_-]{43})$/;

/** Of the text of a token. */
export const TOKEN_LENGTH = 60;

/** Bearer tokens, `id.secret`; the store keeps the SHA-256 of the 32 random bytes alone. */
export class Tokens {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /** The token's text is returned this once. Throws `request-invalid` where it would be worth nothing from the start. */
  async create({ role, name, expires }: NewToken): Promise<TypeOf<typeof TOKEN_SECRET>> {
    if (expires !== undefined && !isToCome(expires))
      throw new TacetError(
        'request-invalid',
        `the token: expires is ${expires}, which is past or no time; give a time to come, or none for a token that does not expire`,
      );
    const id = randomBytes(8).toString('hex');
    const { secret, hash } = newSecret();
    await this.catalog.write(async (transaction) => {
      const token = { id, hash, role, name, created: now(), expires: expires ?? null };
      await transaction.insertInto('tokens').values(token).execute();
      await this.log.append(transaction, 'token-created', id, { role, name });
    });
    return { id, token: `${id}.${secret}` };
  }

  /** The valid token of this text, or undefined. */
  async find(text: string): Promise<Token | undefined> {
    const secret = secretOf(text);
    if (!secret) return undefined;
    const row = await this.catalog.read
      .selectFrom('tokens')
      .select([...TOKEN_COLUMNS, 'hash'])
      .where('id', '=', secret.id)
      .executeTakeFirst();
    if (!row) return undefined;
    const { hash, ...token } = row;
    // Constant time, so that the answer's delay tells nothing about the hash.
    if (!timingSafeEqual(hash, secret.hash)) return undefined;
    const expired = token.expires !== null && token.expires <= now();
    return token.revoked !== null || expired ? undefined : token;
  }

  /** Throws `not-found`, also where it is revoked. */
  async get(id: string): Promise<Token> {
    const token = await this.catalog.read
      .selectFrom('tokens')
      .select(TOKEN_COLUMNS)
      .where('id', '=', id)
      .where('revoked', 'is', null)
      .executeTakeFirst();
    if (!token) throw unknownToken(id);
    return token;
  }

  /** Newest first. */
  async page({ offset, limit }: Extent): Promise<Listing<Token>> {
    const { read } = this.catalog;
    const rows = await read
      .selectFrom('tokens')
      .select(TOKEN_COLUMNS)
      .orderBy('created', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { rows, total: await countOf(read, sql`FROM tokens`) };
  }

  /** Oldest first. */
  list({ after, limit }: ListPart = {}): Promise<Token[]> {
    return this.catalog.read
      .selectFrom('tokens')
      .select(TOKEN_COLUMNS)
      .where(isBehind(after, 'created', 'id'))
      .orderBy('created')
      .orderBy('id')
      .modifyEnd(atMost(limit))
      .execute();
  }

  /** A new text for the same token; the old one is worth nothing from now on. Throws `not-found`. */
  async rotate(id: string): Promise<TypeOf<typeof TOKEN_SECRET>> {
    const { secret, hash } = newSecret();
    await this.#change(id, { hash }, 'token-rotated');
    return { id, token: `${id}.${secret}` };
  }

  /** Throws `not-found`. */
  revoke(id: string): Promise<void> {
    return this.#change(id, { revoked: now() }, 'token-revoked');
  }

  #change(
    id: string,
    values: { readonly hash?: Uint8Array; readonly revoked?: string },
    action: string,
  ): Promise<void> {
    return this.catalog.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('tokens')
        .set(values)
        .where('id', '=', id)
        .where('revoked', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw unknownToken(id);
      await this.log.append(transaction, action, id);
    });
  }
}

/** Which token a text claims to be, and the hash that it then has; undefined for a text that is none. */
export function secretOf(text: string): { id: string; hash: Buffer } | undefined {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) };
}

/** Whether a token that expires then is worth anything now. */
export function isToCome(expires: string): boolean {
  return Date.parse(expires) > Date.now();
}

function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

function hashOf(secret: string): Buffer {
  return sha256(Buffer.from(secret, 'base64url'));
}

function unknownToken(id: string): TacetError {
  return new TacetError('not-found', `there is no valid token ${id}`);
}
