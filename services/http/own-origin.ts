import type { Request } from 'express';
import { isEncrypted, type Proxies } from './client-address.js';

/**
 * How a browser calls this server, as it says itself and, of TLS, a trusted proxy; what a client could make
 * up in `Host` besides an address is left out.
 */
export function ownOrigin(request: Request, proxies: Proxies): string {
  const scheme = isEncrypted(request, proxies) ? 'https' : 'http';
  const address = `${scheme}://${request.headers.host ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : `${scheme}://this-server.example`;
}
