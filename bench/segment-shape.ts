import { noiseLevel } from '../models/bundle/manifest.js';
import type { NewModel } from '../pool-store/models/models.js';
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

/** The mean of the squares of numbers that are even between 0.5 and 1, or between -1 and -0.5. */
export const MEAN_SQUARE = 7 / 12;

/** What a pool has to know of the model of these segments to judge contributions: vectors of `MEAN_SQUARE` are its releases. */
export function benchModel(): NewModel {
  const { modelDigest: digest, labelSchemeDigest, labelCount, dimension } = SEGMENT_SHAPE;
  const stddev = new Float32Array(dimension).fill(Math.sqrt(MEAN_SQUARE - 1 / dimension));
  const manifest = {
    architecture: { representation: { dimension } },
    noise: { outputStddev: noiseLevel(stddev) },
    labelScheme: { digest: labelSchemeDigest, labels: Array(labelCount).fill('O') },
  };
  return { digest, name: 'bench', version: '1.0.0', publisher: 'bench', files: {}, manifest };
}
