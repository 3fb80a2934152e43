import { LEAST_DOCUMENTS } from '../../../models/statistics/estimate.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';
import { seenAmong } from '../../../study/runs/unseen.js';

/** Notes to measure on that are none of the provider's, and how many were left out. */
export interface Strangers {
  readonly notes: readonly Document[];
  readonly leftOut: number;
}

/**
 * Leaves those of an audit's notes to measure on out that are among `members`, the provider's training notes, or nearly
 * the same as one of them: they would pass for notes that nothing was trained on. Throws `corpus-invalid` where too few
 * others are left to measure on.
 */
export function strangersAmong(
  measured: readonly Document[],
  members: readonly Document[],
): Strangers {
  const seen = seenAmong(members, measured);
  const notes = measured.filter((_, i) => !seen.has(i));
  if (seen.size > 0 && notes.length < LEAST_DOCUMENTS)
    throw new TacetError(
      'corpus-invalid',
      `--members: ${seen.size} of the ${measured.length} notes of --corpus to measure on are among them, or nearly the ` +
        `same as one of them, and ${notes.length} others are left, where an audit needs ${LEAST_DOCUMENTS}; give --corpus ` +
        'more notes that the bundle was not trained on',
    );
  return { notes, leftOut: seen.size };
}
