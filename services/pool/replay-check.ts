import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import { type Batch, Batches } from '../../platform/batches.js';
import { SEGMENTS_TOGETHER } from '../../pool-store/contributions.js';
import { PROBES, probeTokens } from '../../pool-store/probe-sample.js';
import type {
  Accepted,
  GivenContribution,
  Recorded,
} from '../../pool-store/record-contributions.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { type Judged, JudgedBatch } from './judged-batch.js';
import { replayDistance } from './replay-distance.js';
import { COMPARED_SEGMENTS, type Probed, probesOf, ReplayIndex } from './replay-index.js';

/** Segments of a contribution whose samples are read before its turn. */
const READ_BEFORE = 16;
/** Indices are kept in memory for this many models; another one is built again when it is asked for. */
const KEPT_MODELS = 4;
/** An honest segment is refused with at most this probability. */
const FALSE_ALARMS = 1e-9;
/** Contributions that others overtook are judged anew, so often in all. */
const MOST_JUDGEMENTS = 4;

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
   * Records a contribution unless a segment repeats an earlier one, or another of its contribution. Those to one
   * model are judged one after another, among all servers of the pool: in its turn a server judges all that wait with it
   * and records them together. Where it was held up for longer than its turn lasts, so that others had theirs, they are
   * judged anew: of two with the same sentences one is refused. Throws `contribution-invalid`, `conflict`, `withdrawn`,
   * `model-unsuitable` where the model holds no representation, and `pool-busy`.
   */
  async judge(given: GivenContribution, model: Manifest): Promise<Accepted> {
    const { representation, noise } = representedBy(model.name, model);
    const { dimension } = representation;
    const tooNear = replayDistance(noise.outputStddev, {
      tokens: probeTokens(dimension),
      probability: FALSE_ALARMS / (PROBES * PROBES * COMPARED_SEGMENTS),
    });
    const { model: digest, segments } = given.manifest;
    // Read before, for all who contribute to the model wait while some are judged; but what waits lies in memory.
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
    const { dimension } = first;
    let batch: JudgedBatch | undefined;
    for (let judgements = 1; !batch?.isDecided; judgements++) {
      try {
        const index = await this.#indexOf(model, dimension);
        await this.store.exclusively(
          `contributions to ${model}`,
          async ({ isHandedOn }) => {
            // Nobody had a turn since this index followed; where somebody had all the same, nothing is recorded.
            if (!isHandedOn || judgements > 1) await index.follow();
            batch ??= new JudgedBatch(this.store, claim());
            await batch.decide(index);
          },
          {
            isWaitedFor: () => this.#batches.isWaitedFor(model),
            whileWaiting: () => index.follow(),
          },
        );
      } catch (error) {
        if (!batch) throw error;
        if (!isOvertaken(error) || judgements === MOST_JUDGEMENTS) batch.refuse(error);
      }
    }
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

function isOvertaken(error: unknown): boolean {
  return error instanceof TacetError && error.code === 'pool-busy';
}
