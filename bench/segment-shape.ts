import type { SegmentShape } from '../proto/segment-header.js';

/** The segments that the pool's benchmarks write: 50 dimensions in float16, as encoders do by default. */
export const SEGMENT_SHAPE: SegmentShape = {
  entities: 'kept',
  modelDigest: 'ab'.repeat(32),
  labelSchemeDigest: 'cd'.repeat(32),
  dimension: 50,
  elementType: 'float16',
  labelCount: 45,
};
