import type { Manifest } from '../../models/bundle/manifest.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import { TacetError } from '../../proto/errors.js';

/** Refuses a segment that the model cannot have made. Throws `contribution-invalid`. */
export function checkShape(segment: SegmentRecord, { architecture, labelScheme }: Manifest): void {
  const require = (what: string, found: string | number, expected: string | number) => {
    if (found === expected) return;
    throw new TacetError(
      'contribution-invalid',
      `segment ${segment.digest} has ${what} ${found}; the model has ${expected}`,
    );
  };
  require('the dimension', segment.dimension, architecture.representation.dimension);
  require('the label scheme', segment.labelSchemeDigest, labelScheme.digest);
  require('a number of labels of', segment.labelCount, labelScheme.labels.length);
}
