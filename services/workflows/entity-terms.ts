import type { EntityTreatment } from '../../proto/entity-treatment.js';
import { TacetError } from '../../proto/errors.js';
import type { SecondReading } from '../encoder/model-calls.js';
import { requireAllowedCopies } from '../institution/approval/allowed-copies.js';
import { requireAllowedKeptTypes } from '../institution/approval/allowed-kept-types.js';
import type { Policy } from '../institution/approval/policy.js';
import type { EncodeOptions } from '../institution/release/job/encode-options.js';
import type { SuspectTreatment } from '../institution/release/suspects/second-reader.js';
import { readInventory } from './inventory-files.js';

/** What is asked to become of entities, with a label or without one. */
export interface EntityTerms {
  /** Replaced unless asked otherwise, or by a policy. */
  readonly entities?: 'replace' | 'keep' | undefined;
  /** Types whose entities are kept all the same, of those that a policy allows. */
  readonly keep?: readonly string[] | undefined;
  /** File of an inventory; the model's own by default. */
  readonly inventory?: string | undefined;
  /** As of `EncodeOptions`. */
  readonly copies?: number | undefined;
  /** A pipeline bundle that reads the notes for names that nobody labelled. */
  readonly reader?: string | undefined;
  readonly suspects?: SuspectTreatment | undefined;
  /** As `SecondReading.threshold`. */
  readonly readerThreshold?: number | undefined;
}

/** So low that a pipeline finds nearly all there is, and much besides. */
export const READER_THRESHOLD = 0.1;

/**
 * What becomes of labelled entities. Throws `policy-otherwise` where the policy wants something else,
 * `file-not-found` and `inventory-invalid`.
 */
export async function treatmentOf(
  { entities: asked, keep: keptTypes = [], inventory: file, copies = 1 }: EntityTerms,
  policy: Policy | undefined,
): Promise<Pick<EncodeOptions, 'entities' | 'keptTypes' | 'inventory' | 'copies'>> {
  const wanted: EntityTreatment | undefined = asked && (asked === 'keep' ? 'kept' : 'replaced');
  const demanded = policy?.entities ?? (policy?.keptTypes ? 'replaced' : undefined);
  if (wanted !== undefined && demanded !== undefined && wanted !== demanded)
    throw new TacetError(
      'policy-otherwise',
      `--entities ${asked}: the policy says that entities are ${demanded}`,
    );
  const entities = wanted ?? demanded ?? 'replaced';
  if (keptTypes.length > 0 && entities === 'kept')
    throw new TacetError('usage', '--keep: entities of every type are kept');
  requireAllowedKeptTypes(keptTypes, '--keep', policy);
  requireAllowedCopies(copies, '--copies', policy);
  if (copies > 1 && (entities === 'kept' || keptTypes.length > 0))
    throw new TacetError('usage', '--copies: entities that are kept are the same in each');
  if (file === undefined) return { entities, keptTypes, copies };
  if (entities === 'kept')
    throw new TacetError('usage', '--inventory: entities that are kept are replaced by nothing');
  return { entities, keptTypes, copies, inventory: (await readInventory(file)).file };
}

/**
 * How a second reader reads, where there is one. Throws `policy-otherwise` where the policy wants
 * another treatment, or a reader and there is none, and `usage`.
 */
export function readingOf(
  { reader, suspects, readerThreshold }: EntityTerms,
  policy: Policy | undefined,
  entities: EntityTreatment | undefined,
): SecondReading | undefined {
  if (reader === undefined && policy?.suspects !== undefined)
    throw new TacetError(
      'policy-otherwise',
      'the policy asks for a second reader; name a pipeline with --reader, with encoder serve by --pipeline',
    );
  if (reader === undefined && suspects !== undefined)
    throw new TacetError('usage', '--suspects: there is no --reader to find any');
  if (reader === undefined && readerThreshold !== undefined)
    throw new TacetError('usage', '--reader-threshold: there is no --reader to suspect anything');
  if (suspects !== undefined && policy?.suspects !== undefined && suspects !== policy.suspects)
    throw new TacetError(
      'policy-otherwise',
      `--suspects ${suspects}: the policy says ${policy.suspects}`,
    );
  if (reader === undefined) return undefined;
  if (entities === 'kept')
    throw new TacetError('usage', '--reader: it reads notes whose entities are replaced');
  const threshold = readerThreshold ?? READER_THRESHOLD;
  return { treatment: suspects ?? policy?.suspects ?? 'replace', threshold };
}
