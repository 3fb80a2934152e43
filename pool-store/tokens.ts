import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { sha256 } from '../proto/digest.js';
import { TacetError } from '../proto/errors.js';
import { NAME, TIME } from '../proto/schemas.js';
import { closedObject, nullable, oneOf, type TypeOf } from '../proto/typed-schema.js';
import { type Catalog, inTransaction, now } from './catalog.js';
import type { ChangeLog } from './change-log.js';
import { countOf, type Extent, type Listing } from './listing.js';

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
  /** RFC 3339; without it the token does not expire. */
  expires: Type.Optional(TIME),
});
export type NewToken = TypeOf<typeof NEW_TOKEN>;

const COLUMNS = 'id, role, name, created, expires, revoked';
const FORM = /^([0-9a-f]{16})\.([A-Za-z0-9_-]{43})$/;

/** Bearer tokens, `id.secret`; the store keeps the SHA-256 of the 32 random bytes alone. */
export class Tokens {
  constructor(
    readonly catalog: Catalog,
    readonly log: ChangeLog,
  ) {}

  /** The token's text is returned this once. */
  create({ role, name, expires }: NewToken): TypeOf<typeof TOKEN_SECRET> {
    const id = randomBytes(8).toString('hex');
    const { secret, hash } = newSecret();
    inTransaction(this.catalog, () => {
      this.catalog.run(
        'INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, NULL)',
        id,
        hash,
        role,
        name,
        now(),
        expires ?? null,
      );
      this.log.append('token-created', id, { role, name });
    });
    return { id, token: `${id}.${secret}` };
  }

  /** The valid token of this text, or undefined. */
  find(text: string): Token | undefined {
    const [, id, secret] = FORM.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const row = this.catalog.get<Token & { hash: Buffer }>(
      `SELECT ${COLUMNS}, hash FROM tokens WHERE id = ?`,
      id,
    );
    if (!row) return undefined;
    const { hash, ...token } = row;
    // Constant time, so that the answer's delay tells nothing about the hash.
    if (!timingSafeEqual(hash, hashOf(secret))) return undefined;
    const expired = token.expires !== null && token.expires <= now();
    return token.revoked !== null || expired ? undefined : token;
  }

  /** Throws `not-found`, also where it is revoked. */
  get(id: string): Token {
    const token = this.catalog.get<Token>(
      `SELECT ${COLUMNS} FROM tokens WHERE id = ? AND revoked IS NULL`,
      id,
    );
    if (!token) throw unknownToken(id);
    return token;
  }

  /** Newest first. */
  page({ offset, limit }: Extent): Listing<Token> {
    const rows = this.catalog.all<Token>(
      `SELECT ${COLUMNS} FROM tokens ORDER BY created DESC, id LIMIT ? OFFSET ?`,
      limit,
      offset,
    );
    return { rows, total: countOf(this.catalog, 'FROM tokens') };
  }

  list(): Token[] {
    return this.catalog.all<Token>(`SELECT ${COLUMNS} FROM tokens ORDER BY created`);
  }

  /** A new text for the same token; the old one is worth nothing from now on. Throws `not-found`. */
  rotate(id: string): TypeOf<typeof TOKEN_SECRET> {
    const { secret, hash } = newSecret();
    inTransaction(this.catalog, () => {
      const changes = this.catalog.run(
        'UPDATE tokens SET hash = ? WHERE id = ? AND revoked IS NULL',
        hash,
        id,
      );
      if (changes === 0) throw unknownToken(id);
      this.log.append('token-rotated', id);
    });
    return { id, token: `${id}.${secret}` };
  }

  /** Throws `not-found`. */
  revoke(id: string): void {
    inTransaction(this.catalog, () => {
      const changes = this.catalog.run(
        'UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL',
        now(),
        id,
      );
      if (changes === 0) throw unknownToken(id);
      this.log.append('token-revoked', id);
    });
  }
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
