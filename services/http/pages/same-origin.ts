import type { Request } from 'express';
import { TacetError } from '../../../proto/errors.js';

/**
 * A form is taken from this site's own pages alone: browsers say in `Origin` whose page sent it (RFC 6454,
 * section 7), and no page can say otherwise. The scheme is not compared, which a proxy that ends TLS changes.
 * Throws `forbidden`.
 */
export function requireSameOrigin({ headers: { origin, host } }: Request): void {
  if (origin !== undefined && hostOf(origin) === host?.toLowerCase()) return;
  throw new TacetError('forbidden', 'forms are taken from pages of this site alone; open it again');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
