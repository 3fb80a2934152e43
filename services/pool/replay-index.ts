import { inParallel } from '../../platform/parallel.js';
import { isUnavailable } from '../../pool-store/blobs/blob-faults.js';
import { readProbes, unpackPoints } from '../../pool-store/segments/probes.js';
import type { SegmentRecord } from '../../pool-store/segments/segment-records.js';
import type { Store } from '../../pool-store/store.js';
import { COMPARED_SEGMENTS, type Probed, Samples } from './samples.js';

/** An index that followed no longer ago lacks little, which comes with the record. */
const STALE_MS = 1000;

/**
 * The samples of a model's newest segments, which it follows the change log to learn of, through whichever
 * server they came.
 */
export class ReplayIndex {
  readonly #samples: Samples;
  /** Sequence number of the entry of the log up to which it has what was contributed. */
  #followedTo = 0;
  /** When that was so, by `performance.now`. */
  #followedAt = 0;
  /** Withdrawn while it learns what was contributed, of which they may be. */
  #forgotten: Set<string> | undefined;

  private constructor(
    readonly store: Store,
    readonly model: string,
    readonly dimension: number,
  ) {
    this.#samples = new Samples(dimension);
  }

  static async of(store: Store, model: string, dimension: number): Promise<ReplayIndex> {
    const index = new ReplayIndex(store, model, dimension);
    const newest = () => store.contributions.newestSegments(model, dimension, COMPARED_SEGMENTS);
    await index.learning(() => index.#learn(newest));
    return index;
  }

  /** Sequence number of the log up to which it has everything. */
  get followedTo(): number {
    return this.#followedTo;
  }

  get isStale(): boolean {
    return performance.now() - this.#followedAt > STALE_MS;
  }

  /** Adds what was contributed since, and returns it. */
  follow(): Promise<Probed[]> {
    const { model, dimension, store } = this;
    return this.#learn((sequence) =>
      sequence <= this.#followedTo
        ? []
        : store.contributions.segmentsAfter(this.#followedTo, model, dimension, COMPARED_SEGMENTS),
    );
  }

  /** Adds what was contributed up to an entry of the log, of which it has all that was before. */
  admit(contributed: readonly Probed[], sequence: number): void {
    for (const each of contributed)
      if (!this.holds(each.digest) && !this.#forgotten?.has(each.digest)) this.#samples.add(each);
    this.#followedTo = Math.max(sequence, this.#followedTo);
    this.#followedAt = performance.now();
  }

  /** Does work that adds to it: what is withdrawn meanwhile is not added any more. One at a time. */
  async learning<T>(work: () => Promise<T>): Promise<T> {
    this.#forgotten = new Set();
    try {
      return await work();
    } finally {
      this.#forgotten = undefined;
    }
  }

  holds(segment: string): boolean {
    return this.#samples.holds(segment);
  }

  /** As `Samples.within`. */
  within(squaredDistance: number, probed: Pick<Probed, 'probes'>): string | undefined {
    return this.#samples.within(squaredDistance, probed);
  }

  /** After a withdrawal. */
  forget(segment: string): void {
    this.#forgotten?.add(segment);
    this.#samples.remove(segment);
  }

  async #learn(
    find: (sequence: number) => readonly SegmentRecord[] | Promise<readonly SegmentRecord[]>,
  ): Promise<Probed[]> {
    const { log, blobs, recentSamples } = this.store;
    // Before the segments: what comes in between is met twice, rather than never.
    const { sequence } = await log.head();
    const missing = (await find(sequence)).filter(({ digest }) => !this.holds(digest));
    const recent = await recentSamples.find(missing.map(({ digest }) => digest));
    const learned = await inParallel(missing, blobs.parallelReads, async (segment) => {
      const packed = recent.get(segment.digest);
      const probes = packed && unpackPoints(packed, segment);
      return { ...segment, probes: probes ?? (await probesOf(this.store, segment)) };
    });
    this.admit(learned, sequence);
    return learned;
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
