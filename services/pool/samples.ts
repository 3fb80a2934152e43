import { VectorIndex } from '../../pool-store/contributions/vector-index.js';
import { probeTokens } from '../../pool-store/segments/probe-sample.js';
import type { SegmentRecord } from '../../pool-store/segments/segment-records.js';

/** A new segment is compared with the samples of so many of its model's segments, the newest. */
export const COMPARED_SEGMENTS = 512;

/** A segment and its sample. */
export interface Probed extends Pick<SegmentRecord, 'digest' | 'elementType'> {
  readonly probes: readonly Float32Array[];
}

/** The samples of segments, of which the newest are kept. */
export class Samples {
  readonly #vectors: VectorIndex;

  /** `dimension` of their vectors. */
  constructor(dimension: number) {
    this.#vectors = new VectorIndex(dimension * probeTokens(dimension), COMPARED_SEGMENTS);
  }

  holds(segment: string): boolean {
    return this.#vectors.holds(segment);
  }

  add({ digest, probes }: Pick<Probed, 'digest' | 'probes'>): void {
    this.#vectors.add(digest, probes);
  }

  remove(segment: string): void {
    this.#vectors.remove(segment);
  }

  /** The segment of a point that is nearer to one of these, if any is. */
  within(squaredDistance: number, { probes }: Pick<Probed, 'probes'>): string | undefined {
    return this.#vectors
      .nearest(probes)
      .find((each) => each && each.squaredDistance < squaredDistance)?.segment;
  }
}
