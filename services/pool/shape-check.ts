import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import { TacetError } from '../../proto/errors.js';

/** Refuses a segment that the model cannot have made. Throws `contribution-invalid`, `model-unsuitable`. */
export function checkShape(segment: SegmentRecord, model: Manifest): void {
  const { labelScheme } = model;
  const { representation } = representedBy(model.name, model);
  const require = (what: string, found: string | number, expected: string | number) => {
    if (found === expected) return;
    throw new TacetError(
      'contribution-invalid',
      `segment ${segment.digest} has ${what} ${found}; the model has ${expected}`,
    );
  };
  require('the dimension', segment.dimension, representation.dimension);
  require('the label scheme', segment.labelSchemeDigest, labelScheme.digest);
  require('a number of labels of', segment.labelCount, labelScheme.labels.length);
}
