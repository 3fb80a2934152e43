import { type Manifest, noiseLevel } from '../../../models/bundle/manifest.js';
import { Random } from '../../../models/tensor/random.js';
import { decodeElements, encodeElements } from '../../../proto/element.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import type { SegmentShape } from '../../../proto/segment-header.js';
import { shape } from '../../proto/encoded-sentences.js';

export const RELEASE_SHAPE: SegmentShape = { ...shape, dimension: 50 };

/** Uneven, as training leaves them: from half to one and a half times 0.3. */
export const STDDEV = Float32Array.from({ length: 50 }, (_, i) => 0.15 + (0.3 * i) / 49);
export const OUTPUT_NOISE = noiseLevel(STDDEV);

/** As far as a check of releases looks at the model. */
export const RELEASE_MODEL = {
  architecture: { representation: { dimension: RELEASE_SHAPE.dimension } },
  noise: { outputStddev: OUTPUT_NOISE },
} as unknown as Manifest;

/** Synthetic releases: unit vectors with Gaussian noise of `scale` times `stddev` [D], in float16. */
export function* releases(
  seed: number,
  count: number,
  scale = 1,
  stddev: Float32Array = STDDEV,
): Generator<EncodedSentence> {
  const random = new Random(seed);
  const dimension = stddev.length;
  for (let i = 0; i < count; i++) {
    const tokens = 1 + random.integer(40);
    const units = random.normals(tokens * dimension);
    const noise = random.normals(tokens * dimension);
    const lengths = Float32Array.from({ length: tokens }, (_, t) =>
      Math.hypot(...units.subarray(t * dimension, (t + 1) * dimension)),
    );
    const values = units.map((value, j) => {
      const unit = value / lengths[Math.floor(j / dimension)];
      return unit + scale * stddev[j % dimension] * noise[j];
    });
    yield {
      vectors: encodeElements(values, RELEASE_SHAPE.elementType),
      labels: Uint8Array.from({ length: tokens }, () => random.integer(2)),
    };
  }
}

/** The same sentences, moved by `share` of the model's noise. */
export function disguised(
  sentences: readonly EncodedSentence[],
  share: number,
  stddev: Float32Array = STDDEV,
): EncodedSentence[] {
  const random = new Random(99);
  const { elementType } = RELEASE_SHAPE;
  return sentences.map(({ vectors, ...rest }) => {
    const values = decodeElements(vectors, elementType);
    const noise = random.normals(values.length);
    const moved = values.map((value, i) => value + share * stddev[i % stddev.length] * noise[i]);
    return { ...rest, vectors: encodeElements(moved, elementType) };
  });
}
