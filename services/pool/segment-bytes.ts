import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';

/**
 * Requires that the bytes of a segment may be read: one that no contribution was accepted with is only its institution's, and
 * may have been refused for what it holds. Throws `not-found`, or `forbidden` where it has the casing of every token in clear.
 */
export async function requireHandedOn(
  { contributions }: Pick<Store, 'contributions'>,
  digest: string,
): Promise<void> {
  const segment = await contributions.findSegment(digest);
  if (!segment || segment.contribution === null)
    throw new TacetError('not-found', `there is no contributed segment ${digest}`);
  if (segment.format === 1)
    throw new TacetError(
      'forbidden',
      `segment ${digest} is of format 1, which has the casing of every token in clear, so its bytes are not ` +
        'handed on; read the sentences of a snapshot that holds it',
    );
}
