import { TacetError } from '../../proto/errors.js';
import { type Catalog, type CatalogTransaction, now } from '../catalog/catalog.js';
import { newSessionId, SESSION_MS, sessionDigest } from './session-id.js';
import { secretOf, TOKEN_COLUMNS, type Token } from './tokens.js';

/** Of one token, so that nobody's logins put out those of others. */
export const MOST_SESSIONS = 100;

/**
 * Who has logged in to the pages of a service. They lie in the catalog, so that every server that shares it knows them and
 * forgets them, and neither in its log nor in copies, for they are of hours.
 */
export class Sessions {
  constructor(private readonly catalog: Catalog) {}

  /**
   * Begins a session of the token of this text, and returns its id. Beyond `MOST_SESSIONS` of a token its oldest one ends.
   */
  async begin(service: string, text: string): Promise<string> {
    const secret = secretOf(text);
    if (!secret) throw new TacetError('unauthorized', 'a session is begun with a token');
    const id = newSessionId();
    const session = {
      ...{ digest: sessionDigest(id), service, begun: now() },
      ...{ token: secret.id, token_hash: secret.hash },
      ends: new Date(Date.now() + SESSION_MS).toISOString(),
    };
    await this.catalog.write(async (transaction) => {
      await transaction.deleteFrom('sessions').where('ends', '<=', now()).execute();
      await endOldest(transaction, secret.id);
      await transaction.insertInto('sessions').values(session).execute();
    }, 'leases');
    return id;
  }

  /** The token that a session was begun with, undefined once either has ended, or the token has a new secret. */
  find(service: string, id: string): Promise<Token | undefined> {
    return this.catalog.read
      .selectFrom('sessions')
      .innerJoin('tokens', (join) =>
        join
          .onRef('tokens.id', '=', 'sessions.token')
          .onRef('tokens.hash', '=', 'sessions.token_hash'),
      )
      .select(TOKEN_COLUMNS.map((name) => `tokens.${name}` as const))
      .where('digest', '=', sessionDigest(id))
      .where('service', '=', service)
      .where('ends', '>', now())
      .where('revoked', 'is', null)
      .where(({ eb, or }) => or([eb('expires', 'is', null), eb('expires', '>', now())]))
      .executeTakeFirst();
  }

  /** On every server. */
  async end(service: string, id: string): Promise<void> {
    await this.catalog.write(
      (transaction) =>
        transaction
          .deleteFrom('sessions')
          .where('digest', '=', sessionDigest(id))
          .where('service', '=', service)
          .execute(),
      'leases',
    );
  }
}

/** Makes room for one more session of a token. */
async function endOldest(transaction: CatalogTransaction, token: string): Promise<void> {
  const newest = transaction
    .selectFrom('sessions')
    .select('digest')
    .where('token', '=', token)
    .orderBy('begun', 'desc')
    .orderBy('digest')
    .limit(MOST_SESSIONS - 1);
  await transaction
    .deleteFrom('sessions')
    .where('token', '=', token)
    .where('digest', 'not in', newest)
    .execute();
}
