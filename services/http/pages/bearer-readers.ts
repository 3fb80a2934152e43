import { TacetError } from '../../../proto/errors.js';
import { tokenCheck } from '../bearer-access.js';
import { clientAddress, limitedBy, NO_PROXIES } from '../client-address.js';
import { RateLimit } from '../rate-limit.js';
import { Cookie } from './cookie.js';
import type { Readers } from './readers.js';
import { SessionsInMemory } from './sessions-in-memory.js';

/** Attempts of one address to log in. */
const ATTEMPTS_PER_MINUTE = 60;

/** Whoever holds the one token reads every page; `service` names the cookie of their session. */
export function bearerReaders(service: string, token: string): Readers {
  const cookie = new Cookie({
    ...{ name: `tacet-${service}`, sameSite: 'Strict', proxies: NO_PROXIES },
  });
  const sessions = new SessionsInMemory();
  const isToken = tokenCheck(token);
  const attempts = new RateLimit({ perMinute: ATTEMPTS_PER_MINUTE, of: 'attempts to log in' });
  return {
    readerOf: (request) =>
      sessions.has(cookie.read(request) ?? '') ? { name: 'holder of the token' } : undefined,
    admit: () => undefined,
    login: {
      asks: 'The token of this encoder',
      enter(text, request, response) {
        attempts.take(limitedBy(clientAddress(request, NO_PROXIES)), response);
        if (!isToken(text)) throw new TacetError('unauthorized', 'this is not the token');
        cookie.set(sessions.begin(), request, response);
      },
      leave(request, response) {
        sessions.end(cookie.read(request) ?? '');
        cookie.clear(request, response);
      },
    },
  };
}
