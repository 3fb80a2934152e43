import type { Manifest } from '../../../models/bundle/manifest.js';
import { countText } from '../../../platform/amount-text.js';
import type { Contribution } from '../../../pool-store/contributions.js';
import type { Store } from '../../../pool-store/store.js';

/** Which labels may occur, where that is known; how often each does is in the segments alone. */
export function labelsText(
  { models }: Store,
  { model }: Pick<Contribution, 'model'>,
  labelCount: number | undefined,
): string {
  const scheme = (models.manifestOf(model) as Partial<Manifest> | undefined)?.labelScheme;
  const count = labelCount === undefined ? 'unknown' : `${countText(labelCount)} in the scheme`;
  return scheme?.types
    ? `${count}: outside, and begin and inside of ${scheme.types.join(', ')}`
    : count;
}
