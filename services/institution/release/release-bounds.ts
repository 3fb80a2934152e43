import { TacetError } from '../../../proto/errors.js';
import type { Bounds, Ledger } from './ledger.js';

/** What a job keeps to; undefined where nobody stated it. */
export interface StatedBounds {
  readonly certifiedLimit: number | undefined;
  /** N of the certificates; undefined where nothing is certified. */
  readonly neighbours: number | undefined;
  readonly maxReleases: number | undefined;
  readonly minDocuments: number | undefined;
}

/**
 * Refuses a job that keeps to less than an earlier one of the same ledger did, with a laxer policy or
 * none: what one job keeps to is worth nothing where the next need not. Throws `bounds-laxer`.
 */
export function requireBounds(ledger: Ledger, job: StatedBounds): void {
  const { certified, neighbours, maxReleases, minDocuments } = ledger.bounds();
  const { certifiedLimit = Number.POSITIVE_INFINITY } = job;
  if (certified !== null && certifiedLimit > certified)
    throw refused(
      `releases of this home are certified under the limit ${certified}`,
      `encode with a policy whose certifiedLimit is ${certified} or lower`,
    );
  if (neighbours !== null && job.neighbours !== undefined && job.neighbours < neighbours)
    throw refused(
      `releases of this home are certified against ${neighbours} candidates of a moved word`,
      `encode with a policy whose neighbours is ${neighbours} or higher`,
    );
  if (maxReleases !== null && (job.maxReleases ?? 1) > maxReleases)
    throw refused(
      `this home releases a sentence ${maxReleases} times at most`,
      `encode with a policy whose maxReleases is ${maxReleases} or lower`,
    );
  if (minDocuments !== null && (job.minDocuments ?? 1) < minDocuments)
    throw refused(
      `releases of this home are of ${minDocuments} documents at least`,
      `encode with a policy whose minDocuments is ${minDocuments} or higher`,
    );
}

/** As the ledger remembers them. */
export function asBounds({
  neighbours,
  maxReleases,
  minDocuments,
}: StatedBounds): Omit<Bounds, 'certified'> {
  return {
    neighbours: neighbours ?? null,
    maxReleases: maxReleases ?? null,
    minDocuments: minDocuments ?? null,
  };
}

function refused(fact: string, advice: string): TacetError {
  return new TacetError('bounds-laxer', `${fact}; ${advice}`);
}
