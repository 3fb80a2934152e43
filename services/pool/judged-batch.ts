import { setImmediate } from 'node:timers/promises';
import type { Sample } from '../../pool-store/contributions/recent-samples.js';
import {
  type GivenContribution,
  overtaken,
  type Recorded,
  type SampledSegment,
} from '../../pool-store/contributions/record-contributions.js';
import { packPoints, unpackPoints } from '../../pool-store/segments/probes.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { ReplayIndex } from './replay-index.js';
import { type Probed, Samples } from './samples.js';

/** Pairs of segments that are compared while all who record wait: 6 µs each, on a processor with AVX-512. */
const MOST_PAIRS = 8192;
/** Contributions that others overtook are compared with theirs, so often in all. */
const MOST_TRIES = 8;

/** A contribution that is to be judged. */
export interface Judged {
  readonly given: GivenContribution;
  /** Squared: points nearer to each other are no two draws of the model's noise. */
  readonly tooNear: number;
  /** The samples of its segments, of which the later ones are read when they are asked for. */
  samples(): AsyncIterable<Probed>;
}

/** Why a contribution is refused: for what lies too near to a segment of the index, or to one of the same batch. */
interface Refusal {
  readonly judged: Judged;
  readonly nearest: string;
  readonly reason: TacetError;
}

/** What contributions that were not refused bring into the index. */
type Brought = Map<Judged, readonly Probed[]>;

/**
 * Contributions to one model that are judged one after another and recorded together, and what becomes of each. They are judged
 * by what the index has; with what others recorded since, the record itself compares them, which is the only thing that
 * all servers do one after another.
 */
export class JudgedBatch {
  readonly #outcomes = new Map<Judged, Recorded>();

  constructor(
    private readonly store: Store,
    private readonly index: ReplayIndex,
    private readonly all: readonly Judged[],
  ) {}

  /** Of all, in their order, once each has one. */
  get outcomes(): Recorded[] {
    return this.all.map((each) => this.#outcomes.get(each) as Recorded);
  }

  /** Judges all and records those that are not refused. What fails as a whole refuses all that have no outcome yet. */
  async decide(): Promise<void> {
    try {
      // One that lies near another which is then refused for something else is judged again, without that one.
      while (this.#undecided().length > 0) await this.index.learning(() => this.#decideSome());
    } catch (reason) {
      for (const each of this.#undecided())
        this.#outcomes.set(each, { status: 'rejected', reason });
    }
  }

  async #decideSome(): Promise<void> {
    const brought: Brought = new Map();
    const own = new Samples(this.index.dimension);
    const bringers = new Map<string, Judged>();
    const refusals: Refusal[] = [];
    for (const judged of this.#undecided()) {
      const segments: Probed[] = [];
      try {
        const refusal = await this.#addNew(judged, own, segments);
        if (refusal) refusals.push(refusal);
        else brought.set(judged, segments);
      } catch (reason) {
        this.#outcomes.set(judged, { status: 'rejected', reason });
      }
      for (const { digest } of segments) {
        if (brought.has(judged)) bringers.set(digest, judged);
        else if (!bringers.has(digest)) own.remove(digest);
      }
    }
    await this.#record(brought);
    for (const { judged, nearest, reason } of refusals) {
      const bringer = bringers.get(nearest);
      if (bringer === undefined || this.#outcomes.get(bringer)?.status === 'fulfilled')
        this.#outcomes.set(judged, { status: 'rejected', reason });
    }
  }

  /** Adds every segment to the batch's own, and to `added`, until one is not new. */
  async #addNew(judged: Judged, own: Samples, added: Probed[]): Promise<Refusal | undefined> {
    const { tooNear } = judged;
    for await (const probed of judged.samples()) {
      if (this.index.holds(probed.digest)) continue;
      if (!own.holds(probed.digest)) {
        const nearest = this.index.within(tooNear, probed) ?? own.within(tooNear, probed);
        if (nearest !== undefined) return { judged, nearest, reason: tooNearTo(nearest, probed) };
        own.add(probed);
      }
      added.push(probed);
    }
    return undefined;
  }

  /** Until all that came meanwhile is compared, too; what is recorded is in the index then. */
  async #record(brought: Brought): Promise<void> {
    for (let tries = 1; brought.size > 0; tries++) {
      try {
        await this.#tryToRecord(brought);
        return;
      } catch (error) {
        if (!isOvertaken(error) || tries === MOST_TRIES) throw error;
      }
      await this.#compareAll(brought, await this.index.follow());
    }
  }

  /** However many there are: others have their turn of the event loop meanwhile. */
  async #compareAll(brought: Brought, others: readonly Probed[]): Promise<void> {
    const together = Math.max(1, Math.floor(MOST_PAIRS / segmentsOf(brought).length));
    for (let from = 0; from < others.length; from += together) {
      const some = others.slice(from, from + together);
      for (const [judged, reason] of near(brought, some, this.index.dimension)) {
        this.#outcomes.set(judged, { status: 'rejected', reason });
        brought.delete(judged);
      }
      await setImmediate();
    }
  }

  async #tryToRecord(brought: Brought): Promise<void> {
    const { index, store } = this;
    const bringers = new Map(
      [...brought].map(([judged, segments]): [GivenContribution, Judged] => [
        { ...judged.given, samples: store.isShared ? segments.map(sampleOf) : [] },
        judged,
      ]),
    );
    const own = new Set(segmentsOf(brought).map(({ digest }) => digest));
    let others: Probed[] = [];
    const recorded = await store.contributions.record([...bringers.keys()], {
      dimension: index.dimension,
      judgedTo: index.followedTo,
      compare: (given, since) => {
        others = this.#othersOf(since, own);
        if (others.length * own.size > MOST_PAIRS) throw overtaken();
        const reasons = near(brought, others, index.dimension);
        return given.map((each) => reasons.get(bringers.get(each) as Judged));
      },
    });
    for (const [i, judged] of [...bringers.values()].entries()) {
      const outcome = recorded[i] as Recorded;
      this.#outcomes.set(judged, outcome);
      const sequence = outcome.status === 'fulfilled' ? outcome.value.sequence : undefined;
      if (sequence === undefined) continue;
      index.admit([...others, ...(brought.get(judged) ?? [])], sequence);
      others = [];
    }
  }

  /** Throws `pool-busy` where a sample is only in its segment. */
  #othersOf(since: readonly SampledSegment[], own: ReadonlySet<string>): Probed[] {
    return since
      .filter(({ segment: { digest } }) => !this.index.holds(digest) && !own.has(digest))
      .map(({ segment, points }) => {
        const probes = points && unpackPoints(points, segment);
        if (!probes) throw overtaken();
        return { ...segment, probes };
      });
  }

  #undecided(): Judged[] {
    return this.all.filter((each) => !this.#outcomes.has(each));
  }
}

function segmentsOf(brought: Brought): Probed[] {
  return [...brought.values()].flat();
}

/** Those of the contributions that lie too near to others', and why each is refused. */
function near(
  brought: Brought,
  others: readonly Probed[],
  dimension: number,
): Map<Judged, TacetError> {
  const found = new Map<Judged, TacetError>();
  if (others.length === 0) return found;
  const samples = new Samples(dimension);
  for (const each of others) samples.add(each);
  for (const [judged, segments] of brought) {
    for (const probed of segments) {
      const nearest = samples.within(judged.tooNear, probed);
      if (nearest === undefined) continue;
      found.set(judged, tooNearTo(nearest, probed));
      break;
    }
  }
  return found;
}

function sampleOf({ digest, elementType, probes }: Probed): Sample {
  return { segment: digest, points: packPoints(probes, elementType) };
}

function tooNearTo(nearest: string, { digest }: Probed): TacetError {
  return new TacetError(
    'contribution-invalid',
    `segment ${digest} holds vectors too near to those of segment ${nearest}; a release is given once`,
  );
}

function isOvertaken(error: unknown): boolean {
  return error instanceof TacetError && error.code === 'pool-busy';
}
