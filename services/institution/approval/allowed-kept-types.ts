import { TacetError } from '../../../proto/errors.js';
import type { Policy } from './policy.js';

/**
 * Throws `policy-otherwise` where a policy does not allow the entities of types to be kept as was asked for by
 * `option`, e.g. `--keep`, or there is none.
 */
export function requireAllowedKeptTypes(
  types: readonly string[],
  option: string,
  policy: Pick<Policy, 'keptTypes'> | undefined,
): void {
  const allowed = policy?.keptTypes ?? [];
  const other = types.filter((type) => !allowed.includes(type));
  if (other.length === 0) return;
  const stated = policy
    ? `the policy allows ${allowed.length === 0 ? 'none' : allowed.join(', ')}`
    : 'there is no policy that allows it';
  throw new TacetError(
    'policy-otherwise',
    `${option}: entities of ${other.join(', ')} would be kept as they are, and ${stated}; leave the type out and ` +
      'its entities are replaced, or have whoever answers for the policy add it to keptTypes, with a certifiedLimit',
  );
}
