import type { EncodingJob } from '../job/encoding-job.js';
import type { LedgerAlike } from '../ledger/ledger-alike.js';
import type { SentenceTable } from '../sentences/sentence-table.js';
import { mostReleases } from './most-releases.js';

/**
 * Tells of one sentence of a table after another whether it may still be released: of those that are
 * alike but for their entities `maxAlike`, together with all that the ledger holds, and of those without
 * any entity as many as of one sentence, of which one alone is not of a copy. A name that nobody labelled may recur in them, and each release
 * of it takes noise off. What is alike is told without looking at an entity.
 */
export function underAlikeLimit(
  table: Pick<SentenceTable, 'alikeOf' | 'labelsOf'>,
  ledger: { readonly alike: Pick<LedgerAlike, 'releasesOf'> },
  { maxReleases, maxAlike, copies }: Pick<EncodingJob, 'maxReleases' | 'maxAlike' | 'copies'>,
): (sentence: number) => boolean {
  const counts = new Map<string, number>();
  const mostWithoutEntity = mostReleases({ maxReleases, copies });
  const mostOf = (sentence: number) =>
    table.labelsOf(sentence).some((label) => label !== 0) ? maxAlike : mostWithoutEntity;
  const least = Math.min(maxAlike, mostWithoutEntity);
  return (sentence) => {
    const alike = table.alikeOf(sentence);
    if (alike.length === 0) return true;
    const name = alike.toString('latin1');
    const count = counts.get(name) ?? ledger.alike.releasesOf(alike);
    if (count >= least && count >= mostOf(sentence)) return false;
    counts.set(name, count + 1);
    return true;
  };
}
