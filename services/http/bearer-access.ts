import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { type Access, bearerOf } from './access.js';

/** Whoever holds the one token may call every route. */
export function bearerAccess(token: string): Access {
  const expected = sha256(token);
  return {
    guard: () => (request, response, next) => {
      // Constant time, so that the answer's delay tells nothing about the token.
      if (!timingSafeEqual(sha256(bearerOf(request)), expected)) {
        response.set('WWW-Authenticate', 'Bearer');
        throw new TacetError('unauthorized', 'send the token as "Authorization: Bearer TOKEN"');
      }
      next();
    },
  };
}
