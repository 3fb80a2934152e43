import { isUnavailable } from '../../pool-store/blob-faults.js';
import { probeTokens } from '../../pool-store/probe-sample.js';
import { readProbes } from '../../pool-store/probes.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import type { Store } from '../../pool-store/store.js';
import { type Neighbour, VectorIndex } from '../../pool-store/vector-index.js';

/** A new segment is compared with the samples of so many of its model's segments, the newest. */
export const COMPARED_SEGMENTS = 512;

/** A segment and its sample. */
export interface Probed {
  readonly digest: string;
  readonly probes: readonly (readonly number[])[];
}

/**
 * The samples of a model's newest segments, which it follows the change log to learn of, through whichever
 * server they came; and of those that are being judged.
 */
export class ReplayIndex {
  readonly #vectors: VectorIndex;
  /** Sequence number of the entry of the log up to which it has what was contributed. */
  #followedTo = 0;

  private constructor(
    readonly store: Store,
    readonly model: string,
    readonly dimension: number,
  ) {
    this.#vectors = new VectorIndex(dimension * probeTokens(dimension), COMPARED_SEGMENTS);
  }

  static async of(store: Store, model: string, dimension: number): Promise<ReplayIndex> {
    const index = new ReplayIndex(store, model, dimension);
    // Before the segments: what comes in between is met twice, rather than never.
    const { sequence } = await store.log.head();
    await index.#addAll(
      await store.contributions.newestSegments(model, dimension, COMPARED_SEGMENTS),
    );
    index.#followedTo = sequence;
    return index;
  }

  /** Adds what was contributed since; returns the sequence number of the log up to which it has everything. */
  async follow(): Promise<number> {
    const { log, contributions } = this.store;
    const { sequence } = await log.head();
    if (sequence > this.#followedTo) {
      const { model, dimension } = this;
      await this.#addAll(
        await contributions.segmentsAfter(this.#followedTo, model, dimension, COMPARED_SEGMENTS),
      );
      this.#followedTo = sequence;
    }
    return this.#followedTo;
  }

  holds(segment: string): boolean {
    return this.#vectors.holds(segment);
  }

  add({ digest, probes }: Probed): void {
    this.#vectors.add(digest, probes);
  }

  remove(segment: string): void {
    this.#vectors.remove(segment);
  }

  nearest(probe: readonly number[]): Neighbour | undefined {
    return this.#vectors.nearest(probe);
  }

  async #addAll(digests: readonly string[]): Promise<void> {
    for (const digest of digests) {
      if (this.holds(digest)) continue;
      const segment = await this.store.contributions.findSegment(digest);
      if (segment) this.add({ digest, probes: await probesOf(this.store, segment) });
    }
  }
}

/** Of a segment that is lost or damaged none: acceptance and `store verify` say what is wrong with it. */
export function probesOf({ blobs }: Store, segment: SegmentRecord): Promise<number[][]> {
  return readProbes(blobs, segment).catch((error) => {
    // What cannot be read now must not count as compared.
    if (isUnavailable(error)) throw error;
    return [];
  });
}
