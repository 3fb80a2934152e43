import type { TypeOf } from '../../../proto/typed-schema.js';
import type { AUDIT_REPORT } from './audit-schema.js';

/** What the attacks could do to one bundle: counts and scores, no text. */
export type AuditReport = TypeOf<typeof AUDIT_REPORT>;

/** The attacks that were compared, of audits of any format. */
export function comparisonsOf({ comparisons, attacks }: AuditReport): { comparisons: number } {
  return { comparisons: comparisons ?? Math.max(1, attacks.length) };
}

/** In `leftOut`, follows the name of an attack that did not run. */
export const NOT_RUN = ': not run';
