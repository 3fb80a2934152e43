import { Option } from 'commander';
import type { EntityTreatment } from '../../proto/entity-treatment.js';
import { TacetError } from '../../proto/errors.js';
import type { Policy } from '../institution/approval/policy.js';
import type { EncodeOptions } from '../institution/release/encode.js';
import { readInventory } from '../workflows/inventory-files.js';

export interface EntityOptions {
  readonly entities?: 'replace' | 'keep';
  readonly inventory?: string;
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
