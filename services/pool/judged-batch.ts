import { packPoints } from '../../pool-store/probes.js';
import type { Sample } from '../../pool-store/recent-samples.js';
import type { GivenContribution, Recorded } from '../../pool-store/record-contributions.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import type { Probed, ReplayIndex } from './replay-index.js';

/** A contribution that is to be judged. */
export interface Judged {
  readonly given: GivenContribution;
  /** Squared: points nearer to each other are no two draws of the model's noise. */
  readonly tooNear: number;
  /** The samples of its segments, of which the later ones are read when they are asked for. */
  samples(): AsyncIterable<Probed>;
}

/** Why a contribution is refused: for what lies too near to a segment of the index, which may be of the same batch. */
interface Refusal {
  readonly judged: Judged;
  readonly nearest: string;
  readonly reason: TacetError;
}

/** Contributions to one model that are judged one after another and recorded together, and what becomes of each. */
export class JudgedBatch {
  readonly #outcomes = new Map<Judged, Recorded>();

  constructor(
    private readonly store: Store,
    private readonly all: readonly Judged[],
  ) {}

  /** Of all, in their order, once each has one. */
  get outcomes(): Recorded[] {
    return this.all.map((each) => this.#outcomes.get(each) as Recorded);
  }

  get isDecided(): boolean {
    return this.#outcomes.size === this.all.length;
  }

  /** Judges and records those that have no outcome yet. Throws `pool-busy` where others came between. */
  async decide(index: ReplayIndex): Promise<void> {
    // One that lies near another which is then refused for something else is judged again, without that one.
    while (!this.isDecided) await this.#decideSome(index);
  }

  /** Refuses those that have no outcome yet. */
  refuse(reason: unknown): void {
    for (const each of this.#undecided()) this.#outcomes.set(each, { status: 'rejected', reason });
  }

  async #decideSome(index: ReplayIndex): Promise<void> {
    /** What each brought into the index. */
    const brought = new Map<Judged, Probed[]>();
    const refusals: Refusal[] = [];
    for (const judged of this.#undecided()) {
      const segments: Probed[] = [];
      try {
        const refusal = await addNew(judged, index, segments);
        if (refusal) refusals.push(refusal);
        else brought.set(judged, segments);
      } catch (reason) {
        this.#outcomes.set(judged, { status: 'rejected', reason });
      }
      if (!brought.has(judged)) removeAll(segments, index);
    }
    await this.#record(brought, index);
    const bringers = new Map(
      [...brought].flatMap(([judged, segments]) => segments.map(({ digest }) => [digest, judged])),
    );
    for (const { judged, nearest, reason } of refusals) {
      const bringer = bringers.get(nearest);
      if (bringer === undefined || this.#outcomes.get(bringer)?.status === 'fulfilled')
        this.#outcomes.set(judged, { status: 'rejected', reason });
    }
  }

  /** What is not recorded leaves the index. */
  async #record(brought: ReadonlyMap<Judged, readonly Probed[]>, index: ReplayIndex) {
    const given = [...brought].map(([judged, segments]) => ({
      ...judged.given,
      samples: this.store.isShared ? segments.map(sampleOf) : [],
    }));
    if (given.length === 0) return;
    try {
      const recorded = await this.store.contributions.record(given, index.followedTo);
      for (const [i, judged] of [...brought.keys()].entries())
        this.#outcomes.set(judged, recorded[i] as Recorded);
    } finally {
      for (const [judged, segments] of brought) {
        const outcome = this.#outcomes.get(judged);
        if (outcome?.status === 'fulfilled') index.entered(outcome.value.sequence);
        else removeAll(segments, index);
      }
    }
  }

  #undecided(): Judged[] {
    return this.all.filter((each) => !this.#outcomes.has(each));
  }
}

/** Adds every segment to the index, and to `added`, until one is not new. */
async function addNew(
  judged: Judged,
  index: ReplayIndex,
  added: Probed[],
): Promise<Refusal | undefined> {
  for await (const probed of judged.samples()) {
    if (index.holds(probed.digest)) continue;
    const nearest = nearestWithin(judged.tooNear, probed, index);
    if (nearest !== undefined) return { judged, nearest, reason: tooNearTo(nearest, probed) };
    index.add(probed);
    added.push(probed);
  }
  return undefined;
}

function removeAll(segments: readonly Probed[], index: ReplayIndex): void {
  for (const { digest } of segments) index.remove(digest);
}

function sampleOf({ digest, elementType, probes }: Probed): Sample {
  return { segment: digest, points: packPoints(probes, elementType) };
}

/** The segment of a point that is nearer to one of these, if any is. */
function nearestWithin(
  squaredDistance: number,
  { probes }: Probed,
  index: ReplayIndex,
): string | undefined {
  return index.nearest(probes).find((each) => each && each.squaredDistance < squaredDistance)
    ?.segment;
}

function tooNearTo(nearest: string, { digest }: Probed): TacetError {
  return new TacetError(
    'contribution-invalid',
    `segment ${digest} holds vectors too near to those of segment ${nearest}; a release is given once`,
  );
}
