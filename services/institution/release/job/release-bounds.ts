import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import { TacetError } from '../../../../proto/errors.js';
import { keptTypesIn, keptTypesText } from '../../../../proto/kept-types.js';
import type { Bounds, Ledger } from '../ledger/ledger.js';
import type { SuspectTreatment } from '../suspects/second-reader.js';

/** What a job keeps to; undefined where nobody stated it. */
export interface StatedBounds {
  readonly certifiedLimit: number | undefined;
  /** N of the certificates; undefined where nothing is certified. */
  readonly neighbours: number | undefined;
  readonly maxReleases: number | undefined;
  readonly minDocuments: number | undefined;
  /** How many sentences may be alike but for their entities; undefined where entities are kept. */
  readonly maxAlike: number | undefined;
  /** Of how many documents the labels of all that leaves are, at least; undefined where sentences leave whole. */
  readonly labelDocuments: number | undefined;
  readonly entities: EntityTreatment;
  /** Where entities are replaced, the types of which they are kept. */
  readonly keptTypes: readonly string[] | undefined;
  /** What a second reader does; undefined where there is none. */
  readonly suspects: SuspectTreatment | undefined;
}

/**
 * Refuses a job that keeps to less than an earlier one of the same ledger did, with a laxer policy or
 * none: what one job keeps to is worth nothing where the next need not. Throws `bounds-laxer`, and
 * `treatment-other` where entities were kept and are to be replaced, or the reverse.
 */
export function requireBounds(ledger: Ledger, job: StatedBounds): void {
  const bounds = ledger.bounds();
  const { maxReleases, minDocuments, maxAlike, labelDocuments, entities } = bounds;
  if (entities !== null && entities !== job.entities)
    throw new TacetError(
      'treatment-other',
      `entities were ${entities} in all that this home has released; encode with --entities ` +
        `${entities === 'kept' ? 'keep' : 'replace'}, or in another home notes that were never encoded: ` +
        'released both ways, the words around an entity would be released twice',
    );
  requireKeptTypes(bounds, job);
  requireLimit(bounds, job);
  requireReader(bounds, job);
  if (maxAlike !== null && (job.maxAlike ?? 0) > maxAlike)
    throw refused(
      `this home releases ${maxAlike} sentences at most that are alike but for their entities`,
      `encode with a policy whose maxAlike is ${maxAlike} or lower`,
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
  if (labelDocuments !== null && (job.labelDocuments ?? 1) < labelDocuments)
    throw refused(
      `all labels that leave this home are of ${labelDocuments} documents at least`,
      `encode with a policy whose labelDocuments is ${labelDocuments} or higher`,
    );
}

/** An entity of a type that was replaced once is replaced from then on. */
function requireKeptTypes({ keptTypes }: Bounds, job: StatedBounds): void {
  if (keptTypes === null) return;
  const earlier = keptTypesIn(keptTypes);
  const more = (job.keptTypes ?? []).filter((type) => !earlier.includes(type));
  if (more.length === 0) return;
  const kept = earlier.length === 0 ? 'every type' : `all types but ${earlier.join(', ')}`;
  throw new TacetError(
    'treatment-other',
    `entities of ${kept} were replaced in what this home released last; encode without keeping ` +
      `${more.join(', ')}, or in another home notes that were never encoded: what may be told of an entity ` +
      'that is kept adds up over all that names it',
  );
}

/**
 * Whichever of the two: what is replaced is another note to the ledger, of which no sentence leaves that was left out, and
 * the reverse.
 */
function requireReader({ suspects }: Bounds, job: StatedBounds): void {
  if (suspects === null || (job.suspects !== undefined && job.suspects !== 'report')) return;
  throw refused(
    `a second reader ${suspects === 'withhold' ? 'kept sentences back' : 'replaced what it suspected'} in this home`,
    'encode with --reader, and with --suspects replace or withhold',
  );
}

/** A job that keeps nothing has no need of a limit. */
function requireLimit({ certified, neighbours }: Bounds, job: StatedBounds): void {
  const { certifiedLimit = Number.POSITIVE_INFINITY } = job;
  if (job.keptTypes?.length === 0) return;
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
}

/**
 * Holds later jobs to a second reader although nothing left of this one: all there was may have been kept back. Under the
 * ledger's lock.
 */
export function recordReader(ledger: Ledger, { suspects }: StatedBounds): void {
  if (suspects === undefined || suspects === 'report') return;
  ledger.recordBounds({ ...UNSTATED, suspects });
}

const UNSTATED: Omit<Bounds, 'certified'> = {
  neighbours: null,
  maxReleases: null,
  minDocuments: null,
  maxAlike: null,
  labelDocuments: null,
  entities: null,
  keptTypes: null,
  suspects: null,
};

/** As the ledger remembers them. */
export function asBounds({
  neighbours,
  maxReleases,
  minDocuments,
  maxAlike,
  labelDocuments,
  entities,
  keptTypes,
  suspects,
}: StatedBounds): Omit<Bounds, 'certified'> {
  return {
    neighbours: neighbours ?? null,
    maxReleases: maxReleases ?? null,
    minDocuments: minDocuments ?? null,
    maxAlike: maxAlike ?? null,
    labelDocuments: labelDocuments ?? null,
    entities,
    keptTypes: keptTypes ? keptTypesText(keptTypes) : null,
    suspects: suspects === undefined || suspects === 'report' ? null : suspects,
  };
}

function refused(fact: string, advice: string): TacetError {
  return new TacetError('bounds-laxer', `${fact}; ${advice}`);
}
