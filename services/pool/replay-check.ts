import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import { type Batch, Batches } from '../../platform/batches.js';
import { SEGMENTS_TOGETHER } from '../../pool-store/contributions/contributions.js';
import type {
  Accepted,
  GivenContribution,
  Recorded,
} from '../../pool-store/contributions/record-contributions.js';
import { PROBES, probeTokens } from '../../pool-store/segments/probe-sample.js';
import type { Store } from '../../pool-store/store.js';
import { type Judged, JudgedBatch } from './judged-batch.js';
import { replayDistance } from './replay-distance.js';
import { probesOf, ReplayIndex } from './replay-index.js';
import { COMPARED_SEGMENTS, type Probed } from './samples.js';

/** Segments of a contribution whose samples are read before it is judged. */
const READ_BEFORE = 16;
/** Indices are kept in memory for this many models; another one is built again when it is asked for. */
const KEPT_MODELS = 4;
/** An honest segment is refused with at most this probability. */
const FALSE_ALARMS = 1e-9;

interface JudgedOfModel extends Judged {
  readonly dimension: number;
}

/**
 * Finds segments that give released sentences again under a little more noise, which a fingerprint
 * does not. What it compares lies in memory, is read from the segments when it is first needed, and is told to other servers by
 * what a withdrawal empties (`RecentSamples`): nothing of a withdrawn contribution outlives its bytes.
 */
export class ReplayCheck {
  readonly #indices = new Map<string, Promise<ReplayIndex>>();
  readonly #batches = new Batches<JudgedOfModel, Accepted>({
    work: (model, next) => this.#judgeTogether(model, next),
    sizeOf: ({ given }) => given.manifest.segments.length,
    mostTogether: SEGMENTS_TOGETHER,
  });

  constructor(readonly store: Store) {}

  /**
   * Records a contribution unless a segment repeats an earlier one, or another of its contribution. A server judges
   * all that wait with it and records them together, in a transaction that compares them with what other servers recorded
   * meanwhile: of two with the same sentences one is refused. Throws `contribution-invalid`, `conflict`, `withdrawn`,
   * `model-unsuitable` where the model holds no representation, and `pool-busy` where others were faster again and again.
   */
  async judge(given: GivenContribution, model: Manifest): Promise<Accepted> {
    const { representation, noise } = representedBy(model.name, model);
    const { dimension } = representation;
    const tooNear = replayDistance(noise.outputStddev, {
      tokens: probeTokens(dimension),
      probability: FALSE_ALARMS / (PROBES * PROBES * COMPARED_SEGMENTS),
    });
    const { model: digest, segments } = given.manifest;
    // Read before, for what waits with it is judged after it; but what waits lies in memory.
    const first: Probed[] = [];
    for await (const each of this.#probed(segments.slice(0, READ_BEFORE), dimension))
      first.push(each);
    const rest = () => this.#probed(segments.slice(READ_BEFORE), dimension);
    const samples = async function* () {
      yield* first;
      yield* rest();
    };
    return this.#batches.add(digest, { given, dimension, tooNear, samples });
  }

  async #judgeTogether(model: string, { first, claim }: Batch<JudgedOfModel>): Promise<Recorded[]> {
    const index = await this.#indexOf(model, first.dimension);
    if (index.isStale) await index.learning(() => index.follow());
    const batch = new JudgedBatch(this.store, index, claim());
    await batch.decide();
    return batch.outcomes;
  }

  /** Of the segments of a contribution; what lacks or differs in shape is refused by others, who say it better. */
  async *#probed(segments: readonly string[], dimension: number): AsyncGenerator<Probed> {
    for (const digest of segments) {
      const segment = await this.store.contributions.findSegment(digest);
      if (segment?.dimension === dimension)
        yield {
          ...{ digest, elementType: segment.elementType },
          probes: await probesOf(this.store, segment),
        };
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
