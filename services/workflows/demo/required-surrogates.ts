import { mapType, requireKnownSpans } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { publicEntities } from '../train/training-bundles.js';
import type { DemoOptions } from './setting.js';

/**
 * Before anything is trained: that something can stand for the entities of every institution, as the bundle's inventory
 * will be made. Throws `inventory-missing` and `label-unknown`.
 */
export async function requireSurrogates(options: DemoOptions): Promise<void> {
  const { parts, scheme } = options;
  const inventory = await publicEntities({ ...options, documents: parts.provider });
  for (const { name, notes, house } of parts.institutions) {
    const known = new Set([...Object.keys(inventory.types), ...Object.keys(house?.forms ?? {})]);
    for (const note of notes) requireKnownSpans(note, scheme);
    const types = notes.flatMap(({ spans }) => spans.map(({ type }) => mapType(type, scheme)));
    const missing = new Set(types.filter((type) => type !== null && !known.has(type)));
    if (missing.size > 0)
      throw new TacetError(
        'inventory-missing',
        `the provider's notes have nothing that could stand for ${[...missing].join(', ')} in those of ${name}; name the ` +
          'language of the corpus (--language), whose common forms may, or keep entities (--entities keep)',
      );
  }
}
