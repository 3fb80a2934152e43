import type { Request, RequestHandler } from 'express';
import type { Role, Token, Tokens } from '../../pool-store/tokens.js';
import { TacetError } from '../../proto/errors.js';
import type { RateLimit } from './rate-limit.js';

/** Whose token a request carries, kept beside the request itself. */
const holders = new WeakMap<object, Token>();

export interface Access {
  readonly tokens: Tokens;
  /** By token. */
  readonly requests: RateLimit;
  /** By address: requests that were refused for want of a valid token. */
  readonly refusals: RateLimit;
}

/**
 * Lets only valid tokens of these roles through (RFC 6750 section 2.1). An address that keeps
 * coming without one is no longer looked up.
 */
export function allowOnly(roles: readonly Role[], { tokens, refusals }: Access): RequestHandler {
  return (request, response, next) => {
    const address = request.socket.remoteAddress ?? '';
    refusals.require(address);
    const token = tokens.find(bearerOf(request));
    if (!token) {
      refusals.take(address);
      response.set('WWW-Authenticate', 'Bearer');
      throw new TacetError('unauthorized', 'send a valid token as "Authorization: Bearer TOKEN"');
    }
    // Known to the log also where it is refused.
    holders.set(request, token);
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
