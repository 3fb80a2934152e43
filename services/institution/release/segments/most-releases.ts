import type { EncodingJob } from '../job/encoding-job.js';

/**
 * How often a sentence of each copy of a note may be released, so that its text, which stands in all of them, leaves no more
 * than `maxReleases` times. A note always leaves in the same number of copies (`LedgerDocuments`).
 */
export function mostReleases({
  maxReleases,
  copies,
}: Pick<EncodingJob, 'maxReleases' | 'copies'>): number {
  return Math.floor(maxReleases / copies);
}
