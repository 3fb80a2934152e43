import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import { isUnavailable } from '../../pool-store/blob-faults.js';
import { PROBES, probeTokens } from '../../pool-store/probe-sample.js';
import { readProbes } from '../../pool-store/probes.js';
import type { SegmentRecord } from '../../pool-store/segment-records.js';
import type { Store } from '../../pool-store/store.js';
import { VectorIndex } from '../../pool-store/vector-index.js';
import type { ContributionManifest } from '../../proto/contribution.js';
import { TacetError } from '../../proto/errors.js';
import { replayDistance } from './replay-distance.js';

/** A new segment is compared with the samples of so many of its model's segments, the newest. */
export const COMPARED_SEGMENTS = 512;
/** Segments of a contribution whose samples are read before its turn. */
const READ_BEFORE = 16;
/** Indices are kept in memory for this many models; another one is built again when it is asked for. */
const KEPT_MODELS = 4;
/** An honest segment is refused with at most this probability. */
const FALSE_ALARMS = 1e-9;

/** A segment and its sample. */
interface Probed {
  readonly digest: string;
  readonly probes: readonly (readonly number[])[];
}

/**
 * Finds segments that give released sentences again under a little more noise, which a fingerprint
 * does not. What it compares lies in memory alone and is read from the segments when it is first
 * needed: nothing of a withdrawn contribution outlives its bytes.
 */
export class ReplayCheck {
  readonly #indices = new Map<string, Promise<VectorIndex>>();

  constructor(readonly store: Store) {}

  /**
   * Calls `accept` unless a segment repeats an earlier one, or another of its contribution. One
   * contribution to a model is judged at a time, among all servers of the pool, so that of two with the same sentences one is refused. Throws
   * `contribution-invalid`, and `model-unsuitable` where the model holds no representation.
   */
  async judge<T>(
    manifest: ContributionManifest,
    model: Manifest,
    accept: () => Promise<T>,
  ): Promise<T> {
    const { representation, noise } = representedBy(model.name, model);
    const { dimension } = representation;
    const tooNear = replayDistance(noise.outputStddev, {
      tokens: probeTokens(dimension),
      probability: FALSE_ALARMS / (PROBES * PROBES * COMPARED_SEGMENTS),
    });
    const { segments } = manifest;
    // Read before, for all who contribute to the model wait while one is judged; but what waits lies in memory.
    const first: Probed[] = [];
    for await (const each of this.#probed(segments.slice(0, READ_BEFORE), dimension))
      first.push(each);
    return this.store.exclusively(`contributions to ${manifest.model}`, async () => {
      const index = await this.#indexOf(manifest.model, dimension);
      if (this.store.isShared) await this.#catchUp(manifest.model, dimension, index);
      const added: string[] = [];
      const add = ({ digest, probes }: Probed) => {
        if (index.holds(digest)) return;
        requireNew(digest, probes, index, tooNear);
        index.add(digest, probes);
        added.push(digest);
      };
      try {
        for (const each of first) add(each);
        for await (const each of this.#probed(segments.slice(READ_BEFORE), dimension)) add(each);
        return await accept();
      } catch (error) {
        for (const digest of added) index.remove(digest);
        throw error;
      }
    });
  }

  /** Of the segments of a contribution; what lacks or differs in shape is refused by others, who say it better. */
  async *#probed(segments: readonly string[], dimension: number): AsyncGenerator<Probed> {
    for (const digest of segments) {
      const segment = await this.store.contributions.findSegment(digest);
      if (segment?.dimension === dimension) yield { digest, probes: await this.#probesOf(segment) };
    }
  }

  /** Of a segment that is lost or damaged none: `accept` and `verify` say what is wrong with it. */
  #probesOf(segment: SegmentRecord): Promise<number[][]> {
    return readProbes(this.store.blobs, segment).catch((error) => {
      // What cannot be read now must not count as compared.
      if (isUnavailable(error)) throw error;
      return [];
    });
  }

  #indexOf(model: string, dimension: number): Promise<VectorIndex> {
    const known = this.#indices.get(model) ?? this.#build(model, dimension);
    // The one used last is the last to go.
    this.#indices.delete(model);
    this.#indices.set(model, known);
    for (const old of [...this.#indices.keys()].slice(0, -KEPT_MODELS)) this.#indices.delete(old);
    known.catch(() => this.#indices.delete(model));
    return known;
  }

  async #build(model: string, dimension: number): Promise<VectorIndex> {
    const index = new VectorIndex(dimension * probeTokens(dimension), COMPARED_SEGMENTS);
    await this.#catchUp(model, dimension, index);
    return index;
  }

  /** Adds what was contributed since, through whichever server. */
  async #catchUp(model: string, dimension: number, index: VectorIndex): Promise<void> {
    const { contributions } = this.store;
    const newest = await contributions.newestSegments(model, dimension, COMPARED_SEGMENTS);
    for (const digest of newest) {
      if (index.holds(digest)) continue;
      const segment = await contributions.findSegment(digest);
      if (segment) index.add(digest, await this.#probesOf(segment));
    }
  }

  /** After a withdrawal. */
  async forget(segments: readonly string[]): Promise<void> {
    for (const index of this.#indices.values()) {
      for (const segment of segments) (await index).remove(segment);
    }
  }
}

function requireNew(
  digest: string,
  probes: readonly (readonly number[])[],
  index: VectorIndex,
  tooNear: number,
): void {
  for (const probe of probes) {
    const nearest = index.nearest(probe);
    if (!nearest || nearest.squaredDistance >= tooNear) continue;
    throw new TacetError(
      'contribution-invalid',
      `segment ${digest} holds vectors too near to those of segment ${nearest.segment}; ` +
        'a release is given once',
    );
  }
}
