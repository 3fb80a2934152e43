import type { Manifest } from '../../../models/bundle/manifest.js';
import { countText } from '../../../platform/amount-text.js';

/** Which labels may occur, where that is known; how often each does is in the segments alone. */
export function labelsText(manifest: unknown, labelCount: number | undefined): string {
  const scheme = (manifest as Partial<Manifest> | undefined)?.labelScheme;
  const count = labelCount === undefined ? 'unknown' : `${countText(labelCount)} in the scheme`;
  return scheme?.types
    ? `${count}: outside, and begin and inside of ${scheme.types.join(', ')}`
    : count;
}
