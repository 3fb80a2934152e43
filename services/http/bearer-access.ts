import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { type Access, bearerOf } from './access.js';

/** Whoever holds the one token may call every route. */
export function bearerAccess(token: string): Access {
  const isToken = tokenCheck(token);
  return {
    guard: () => (request, response, next) => {
      if (!isToken(bearerOf(request))) {
        response.set('WWW-Authenticate', 'Bearer');
        throw new TacetError('unauthorized', 'send the token as "Authorization: Bearer TOKEN"');
      }
      next();
    },
  };
}

/** Whether a text is the token, in constant time, so that the answer's delay tells nothing about it. */
export function tokenCheck(token: string): (text: string) => boolean {
  const expected = sha256(token);
  return (text) => timingSafeEqual(sha256(text), expected);
}
