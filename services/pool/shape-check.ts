import { binaryScheme } from '../../models/bundle/binary-scheme.js';
import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import type { SegmentRecord } from '../../pool-store/segments/segment-records.js';
import { TacetError } from '../../proto/errors.js';

/** Refuses a segment that the model cannot have made; its labels may be of `phi-binary`. Throws `contribution-invalid`, `model-unsuitable`. */
export function checkShape(segment: SegmentRecord, model: Manifest): void {
  const { labelScheme } = model;
  const binary = binaryScheme();
  const { digest, labels } = segment.labelSchemeDigest === binary.digest ? binary : labelScheme;
  const { representation } = representedBy(model.name, model);
  const require = (what: string, found: string | number, expected: string | number) => {
    if (found === expected) return;
    throw new TacetError(
      'contribution-invalid',
      `segment ${segment.digest} has ${what} ${found}; the model has ${expected}`,
    );
  };
  require('the dimension', segment.dimension, representation.dimension);
  require('the label scheme', segment.labelSchemeDigest, digest);
  require('a number of labels of', segment.labelCount, labels.length);
}
