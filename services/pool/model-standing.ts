import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';

/** Requires that the registry beside the pool has not revoked a model that it knows. Throws `model-revoked`. */
export async function requireNotRevoked(
  { models }: Pick<Store, 'models'>,
  digest: string,
): Promise<void> {
  const model = await models.findByDigest(digest);
  if (model?.status !== 'revoked') return;
  const { name, version, reason } = model;
  throw new TacetError(
    'model-revoked',
    `${name} ${version} was revoked (${reason ?? 'no reason is known'}), so nothing more is taken that it encoded; ` +
      'encode with another model',
  );
}
