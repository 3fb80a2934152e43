import type { Request, RequestHandler } from 'express';
import type { Role, Token, Tokens } from '../../pool-store/tokens.js';
import { TacetError } from '../../proto/errors.js';
import { clientAddress, limitedBy, type Proxies } from './client-address.js';
import type { RateLimit } from './rate-limit.js';

/** Whose token a request carries, kept beside the request itself. */
const holders = new WeakMap<object, Token>();

export interface Access {
  readonly tokens: Tokens;
  /** By token. */
  readonly requests: RateLimit;
  /** By address: requests that were refused for want of a valid token. */
  readonly refusals: RateLimit;
  readonly proxies: Proxies;
}

/**
 * Lets only valid tokens of these roles through (RFC 6750 section 2.1). A token is looked up before
 * anything is counted, which costs less than to answer: whoever holds a valid one is never refused for
 * what others send from the same address.
 */
export function allowOnly(roles: readonly Role[], access: Access): RequestHandler {
  const { tokens, requests, refusals, proxies } = access;
  return (request, response, next) => {
    const token = tokens.find(bearerOf(request));
    if (!token) {
      refusals.take(limitedBy(clientAddress(request, proxies)), response);
      response.set('WWW-Authenticate', 'Bearer');
      throw new TacetError('unauthorized', 'send a valid token as "Authorization: Bearer TOKEN"');
    }
    // Known to the log also where it is refused.
    holders.set(request, token);
    requests.take(token.id, response);
    if (!roles.includes(token.role)) {
      throw new TacetError('forbidden', `this needs the role ${roles.join(' or ')}`);
    }
    next();
  };
}

/** The token of a request that `allowOnly` let through. */
export function tokenOf(request: object): Token {
  const token = holders.get(request);
  if (!token) throw new TacetError('unauthorized', 'the request was not authenticated');
  return token;
}

/** For the log: who called, undefined before or without authentication. */
export function holderOf(request: object): string | undefined {
  return holders.get(request)?.id;
}

function bearerOf(request: Request): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
