import { type Command, Option } from 'commander';
import type { EntityTreatment } from '../../proto/entity-treatment.js';
import { TacetError } from '../../proto/errors.js';
import type { SecondReading } from '../encoder/model-calls.js';
import type { Policy } from '../institution/approval/policy.js';
import type { EncodeOptions } from '../institution/release/encode.js';
import { SUSPECT_TREATMENTS, type SuspectTreatment } from '../institution/release/second-reader.js';
import { readInventory } from '../workflows/inventory-files.js';
import { share } from './share.js';

export interface EntityOptions {
  readonly entities?: 'replace' | 'keep';
  readonly inventory?: string;
}

export interface ReadingOptions {
  readonly reader?: string;
  readonly suspects?: SuspectTreatment;
  readonly readerThreshold: number;
}

/** So low that a pipeline finds nearly all there is, and much besides. */
const READER_THRESHOLD = 0.1;

export function withReadingOptions(command: Command): Command {
  return command
    .option('--reader <pipeline>', 'reads the notes once more for names that nobody labelled')
    .addOption(
      new Option(
        '--suspects <what>',
        'report what it finds, label and replace it, as by default, or withhold the sentence',
      ).choices(SUSPECT_TREATMENTS),
    )
    .option(
      '--reader-threshold <share>',
      'the reader suspects a token from this probability on',
      share,
      READER_THRESHOLD,
    );
}

/**
 * How the reader reads, where there is one. Throws `policy-otherwise` where the policy wants another
 * treatment, or a reader and there is none.
 */
export function readingOf(
  { reader, suspects, readerThreshold: threshold }: ReadingOptions,
  policy: Policy | undefined,
): SecondReading | undefined {
  if (reader === undefined && policy?.suspects !== undefined)
    throw new TacetError(
      'policy-otherwise',
      'the policy asks for a second reader; name a pipeline with --reader',
    );
  if (reader === undefined && suspects !== undefined)
    throw new TacetError('usage', '--suspects: there is no --reader to find any');
  if (suspects !== undefined && policy?.suspects !== undefined && suspects !== policy.suspects)
    throw new TacetError(
      'policy-otherwise',
      `--suspects ${suspects}: the policy says ${policy.suspects}`,
    );
  if (reader === undefined) return undefined;
  return { treatment: suspects ?? policy?.suspects ?? 'replace', threshold };
}

export function entitiesOption(): Option {
  return new Option(
    '--entities <what>',
    'replace labelled entities by public ones before encoding, as by default, or keep them, as in the paper',
  ).choices(['replace', 'keep']);
}

/**
 * What becomes of labelled entities. Throws `policy-otherwise` where the policy wants something else, and
 * `inventory-invalid`.
 */
export async function treatmentOf(
  { entities: asked, inventory: file }: EntityOptions,
  policy: Policy | undefined,
): Promise<Pick<EncodeOptions, 'entities' | 'inventory'>> {
  const wanted: EntityTreatment | undefined = asked && (asked === 'keep' ? 'kept' : 'replaced');
  if (wanted !== undefined && policy?.entities !== undefined && wanted !== policy.entities)
    throw new TacetError(
      'policy-otherwise',
      `--entities ${asked}: the policy says that entities are ${policy.entities}`,
    );
  const entities = wanted ?? policy?.entities ?? 'replaced';
  if (file === undefined) return { entities };
  if (entities === 'kept')
    throw new TacetError('usage', '--inventory: entities that are kept are replaced by nothing');
  return { entities, inventory: (await readInventory(file)).file };
}
