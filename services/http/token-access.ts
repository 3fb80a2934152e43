import type { Request, RequestHandler, Response } from 'express';
import type { Role, Token, Tokens } from '../../pool-store/members/tokens.js';
import { TacetError } from '../../proto/errors.js';
import { type Access, bearerOf } from './access.js';
import { clientAddress, limitedBy, NO_PROXIES, type Proxies } from './client-address.js';
import { RateLimit } from './rate-limit.js';
import type { Route } from './route.js';

/** Whose token a request carries, kept beside the request itself. */
const holders = new WeakMap<object, Token>();

/** Callers hold tokens of a store, each of a role; every route names the roles that may call it. */
export class TokenAccess implements Access {
  /** By token. */
  readonly #requests: RateLimit;
  /** By address: requests that were refused for want of a valid token. */
  readonly #refusals: RateLimit;

  constructor(
    private readonly tokens: Tokens,
    perMinute: number,
    readonly proxies: Proxies = NO_PROXIES,
  ) {
    this.#requests = new RateLimit({ perMinute });
    this.#refusals = new RateLimit({ perMinute, of: 'requests without a valid token' });
  }

  /**
   * Throws for a route without roles.
   */
  guard({ path, roles }: Route): RequestHandler {
    if (!roles) throw new TacetError('internal', `${path} names no roles that may call it`);
    return async (request, response, next) => {
      const token = await this.holderOf(bearerOf(request), request, response);
      if (!token) {
        response.set('WWW-Authenticate', 'Bearer');
        throw new TacetError('unauthorized', 'send a valid token as "Authorization: Bearer TOKEN"');
      }
      requireRole(roles, token);
      next();
    };
  }

  /**
   * The valid token of this text, or undefined; the request is counted as by `counted`. Throws `rate-limited`.
   */
  async holderOf(text: string, request: Request, response: Response): Promise<Token | undefined> {
    return this.counted(await this.tokens.find(text), request, response);
  }

  /**
   * Counts a request for the valid token that it came with, or for the address that sent it where it came with none. A
   * token is looked up before anything is counted, which costs less than to answer: whoever holds a valid one is never
   * refused for what others send from the same address. Throws `rate-limited`.
   */
  counted(token: Token | undefined, request: Request, response: Response): Token | undefined {
    if (!token) {
      this.#refusals.take(limitedBy(clientAddress(request, this.proxies)), response);
      return undefined;
    }
    // Known to the log also where it is refused.
    holders.set(request, token);
    this.#requests.take(token.id, response);
    return token;
  }
}

/** Throws `forbidden` where the token is of none of the roles. */
export function requireRole(roles: readonly Role[], { role }: Token): void {
  if (!roles.includes(role))
    throw new TacetError('forbidden', `this needs the role ${roles.join(' or ')}`);
}

/** The token of a request that a `TokenAccess` let through. */
export function tokenOf(request: object): Token {
  const token = holders.get(request);
  if (!token) throw new TacetError('unauthorized', 'the request was not authenticated');
  return token;
}

/** For the log: who called, undefined before or without authentication. */
export function holderOf(request: object): string | undefined {
  return holders.get(request)?.id;
}
