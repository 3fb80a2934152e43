import { TacetError } from '../../../proto/errors.js';
import type { Policy } from './policy.js';

/**
 * Throws `policy-otherwise` where a policy allows fewer copies of a note than were asked for by `option`, e.g.
 * `--copies`.
 */
export function requireAllowedCopies(
  copies: number,
  option: string,
  policy: Pick<Policy, 'maxCopies' | 'maxReleases'> | undefined,
): void {
  if (!policy || copies <= Math.min(policy.maxCopies ?? 1, policy.maxReleases)) return;
  throw new TacetError(
    'policy-otherwise',
    `${option} ${copies}: the policy allows maxCopies ${policy.maxCopies ?? 1} and maxReleases ` +
      `${policy.maxReleases}, since the text around entities is released with each`,
  );
}
