import type { IncomingMessage } from 'node:http';
import { TacetError } from '../../proto/errors.js';
import type { Access } from './access.js';

/** What a request's `Host` says where it names this machine. */
const HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a host, as a URL or `--host` names it, is this machine's own and reached by no network. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/**
 * Programs of this machine may call every route, but no web page that a browser here shows, whatever
 * name it gives to this address (DNS rebinding).
 */
export const LOOPBACK_ACCESS: Access = {
  guard: () => (request, _response, next) => {
    requireLoopback(request);
    if (request.headers.origin !== undefined) throw fromElsewhere();
    next();
  },
};

/** Throws `forbidden` for a request that another name of this address led here. */
export function requireLoopback({
  headers: { host = '' },
}: Pick<IncomingMessage, 'headers'>): void {
  if (!HOST.test(host)) throw fromElsewhere();
}

function fromElsewhere(): TacetError {
  return new TacetError('forbidden', 'without a token only programs of this machine are served');
}
