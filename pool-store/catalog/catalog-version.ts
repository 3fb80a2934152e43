import { TacetError } from '../../proto/errors.js';

/** Of what a newer program has changed, an older one does not know what it must write. Throws `store-version`. */
export function requireKnown(found: number, known: number, catalog = 'the catalog'): void {
  if (found <= known) return;
  throw new TacetError(
    'store-version',
    `${catalog} has version ${found}, and this program knows ${known}; nothing was changed. ` +
      'Upgrade this program and start it again',
  );
}
