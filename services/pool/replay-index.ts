import { inParallel } from '../../platform/parallel.js';
import { isUnavailable } from '../../pool-store/blob-faults.js';
import { probeTokens } from '../../pool-store/probe-sample.js';
import { readProbes, unpackPoints } from '../../pool-store/probes.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import type { Store } from '../../pool-store/store.js';
import { type Neighbour, VectorIndex } from '../../pool-store/vector-index.js';

/** A new segment is compared with the samples of so many of its model's segments, the newest. */
export const COMPARED_SEGMENTS = 512;

/** A segment and its sample. */
export interface Probed extends Pick<SegmentRecord, 'digest' | 'elementType'> {
  readonly probes: readonly Float32Array[];
}

/**
 * The samples of a model's newest segments, which it follows the change log to learn of, through whichever
 * server they came; and of those that are being judged.
 */
export class ReplayIndex {
  readonly #vectors: VectorIndex;
  /** Sequence number of the entry of the log up to which it has what was contributed. */
  #followedTo = 0;
  /** Withdrawn while it reads what was contributed, of which they may be. */
  #forgotten: Set<string> | undefined;

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

  /** Sequence number of the log up to which it has everything. */
  get followedTo(): number {
    return this.#followedTo;
  }

  /** What it has, and what it was compared with, the log has up to this entry now. */
  entered(sequence: number | undefined): void {
    if (sequence !== undefined) this.#followedTo = sequence;
  }

  /** Adds what was contributed since. */
  async follow(): Promise<void> {
    const { log, contributions } = this.store;
    const { sequence } = await log.head();
    if (sequence <= this.#followedTo) return;
    const { model, dimension } = this;
    this.#forgotten = new Set();
    try {
      await this.#addAll(
        await contributions.segmentsAfter(this.#followedTo, model, dimension, COMPARED_SEGMENTS),
      );
    } finally {
      this.#forgotten = undefined;
    }
    this.#followedTo = sequence;
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

  /** After a withdrawal: removes it, and adds it no more. */
  forget(segment: string): void {
    this.#forgotten?.add(segment);
    this.remove(segment);
  }

  /** Of each point. */
  nearest(probes: Probed['probes']): (Neighbour | undefined)[] {
    return this.#vectors.nearest(probes);
  }

  async #addAll(segments: readonly SegmentRecord[]): Promise<void> {
    const missing = segments.filter(({ digest }) => !this.holds(digest));
    const { blobs, recentSamples } = this.store;
    const recent = await recentSamples.find(missing.map(({ digest }) => digest));
    const samples = await inParallel(missing, blobs.parallelReads, async (segment) => {
      const packed = recent.get(segment.digest);
      return (packed && unpackPoints(packed, segment)) ?? probesOf(this.store, segment);
    });
    for (const [i, { digest }] of missing.entries()) {
      if (!this.#forgotten?.has(digest)) this.add({ digest, probes: samples[i] ?? [] });
    }
  }
}

/** Of a segment that is lost or damaged none: acceptance and `store verify` say what is wrong with it. */
export function probesOf({ blobs }: Store, segment: SegmentRecord): Promise<Float32Array[]> {
  return readProbes(blobs, segment).catch((error) => {
    // What cannot be read now must not count as compared.
    if (isUnavailable(error)) throw error;
    return [];
  });
}
