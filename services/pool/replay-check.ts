import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import type { Accepted } from '../../pool-store/contributions.js';
import { PROBES, probeTokens } from '../../pool-store/probe-sample.js';
import type { Store } from '../../pool-store/store.js';
import type { ContributionManifest } from '../../proto/contribution.js';
import { TacetError } from '../../proto/errors.js';
import { replayDistance } from './replay-distance.js';
import { COMPARED_SEGMENTS, type Probed, probesOf, ReplayIndex } from './replay-index.js';

/** Segments of a contribution whose samples are read before its turn. */
const READ_BEFORE = 16;
/** Indices are kept in memory for this many models; another one is built again when it is asked for. */
const KEPT_MODELS = 4;
/** An honest segment is refused with at most this probability. */
const FALSE_ALARMS = 1e-9;
/** A contribution that others overtook is judged anew, so often in all. */
const MOST_JUDGEMENTS = 4;

/** Accepts what was compared with everything up to an entry of the log. Throws `pool-busy` where more was accepted since. */
type Accept<T> = (judgedTo: number) => Promise<T>;

/** What an index then needs to know: the entry that the acceptance became, if any. */
type Entered = Pick<Accepted, 'sequence'>;

/**
 * Finds segments that give released sentences again under a little more noise, which a fingerprint
 * does not. What it compares lies in memory alone and is read from the segments when it is first
 * needed: nothing of a withdrawn contribution outlives its bytes.
 */
export class ReplayCheck {
  readonly #indices = new Map<string, Promise<ReplayIndex>>();

  constructor(readonly store: Store) {}

  /**
   * Calls `accept` unless a segment repeats an earlier one, or another of its contribution. One
   * contribution to a model is judged at a time, among all servers of the pool; where a server was held up for
   * longer than its turn lasts, so that others had theirs, `accept` refuses and the contribution is judged
   * anew: of two with the same sentences one is refused. Throws
   * `contribution-invalid`, `model-unsuitable` where the model holds no representation, and `pool-busy`.
   */
  async judge<T extends Entered>(
    manifest: ContributionManifest,
    model: Manifest,
    accept: Accept<T>,
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
    for (let judgements = 1; ; judgements++) {
      const index = await this.#indexOf(manifest.model, dimension);
      try {
        return await this.store.exclusively(
          `contributions to ${manifest.model}`,
          async ({ isHandedOn }) => {
            // Nobody had a turn since this index followed; where somebody had all the same, `accept` refuses.
            if (!isHandedOn || judgements > 1) await index.follow();
            const judgedTo = index.followedTo;
            const work = () => accept(judgedTo);
            const accepted = await this.#withAdded(index, tooNear, first, segments, work);
            index.entered(accepted.sequence);
            return accepted;
          },
        );
      } catch (error) {
        if (!isOvertaken(error) || judgements === MOST_JUDGEMENTS) throw error;
      }
    }
  }

  /** Does `work` once every segment was found new and added to the index; those of failed work leave it. */
  async #withAdded<T>(
    index: ReplayIndex,
    tooNear: number,
    first: readonly Probed[],
    segments: readonly string[],
    work: () => Promise<T>,
  ): Promise<T> {
    const added: string[] = [];
    const add = (probed: Probed) => {
      if (index.holds(probed.digest)) return;
      requireNew(probed, index, tooNear);
      index.add(probed);
      added.push(probed.digest);
    };
    try {
      for (const each of first) add(each);
      for await (const each of this.#probed(segments.slice(READ_BEFORE), index.dimension))
        add(each);
      return await work();
    } catch (error) {
      for (const digest of added) index.remove(digest);
      throw error;
    }
  }

  /** Of the segments of a contribution; what lacks or differs in shape is refused by others, who say it better. */
  async *#probed(segments: readonly string[], dimension: number): AsyncGenerator<Probed> {
    for (const digest of segments) {
      const segment = await this.store.contributions.findSegment(digest);
      if (segment?.dimension === dimension)
        yield { digest, probes: await probesOf(this.store, segment) };
    }
  }

  #indexOf(model: string, dimension: number): Promise<ReplayIndex> {
    const known = this.#indices.get(model) ?? ReplayIndex.of(this.store, model, dimension);
    // The one used last is the last to go.
    this.#indices.delete(model);
    this.#indices.set(model, known);
    for (const old of [...this.#indices.keys()].slice(0, -KEPT_MODELS)) this.#indices.delete(old);
    known.catch(() => this.#indices.delete(model));
    return known;
  }

  /** After a withdrawal. */
  async forget(segments: readonly string[]): Promise<void> {
    for (const index of this.#indices.values()) {
      for (const segment of segments) (await index).forget(segment);
    }
  }
}

function requireNew({ digest, probes }: Probed, index: ReplayIndex, tooNear: number): void {
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

function isOvertaken(error: unknown): boolean {
  return error instanceof TacetError && error.code === 'pool-busy';
}
