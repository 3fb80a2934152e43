import type { Random } from '../tensor/random.js';
import type { LocalTraining } from './local-training.js';
import { overwrite, requireAddable, requireFitting, type WeightUpdate } from './weight-update.js';

/** What a worker decides for itself, unknown to all others (Shokri and Shmatikov 2015, section 5). */
export interface SelectiveConfig {
  /** θ_d, the share of all weights that a worker takes over at the start of an epoch. */
  readonly downloadShare: number;
  /** θ_u, the share of all weights whose changes it sends at most. */
  readonly uploadShare: number;
  /** γ: changes are clamped to ± this. */
  readonly bound: number;
  /** τ: changes no greater than this stay at home. */
  readonly threshold: number;
}

/** Festag and Spreckelsen 2020, experiment C_0.1. */
export const FESTAG_SELECTION: SelectiveConfig = {
  downloadShare: 0.1,
  uploadShare: 0.5,
  bound: 10,
  threshold: 0.0001,
};

/** The weights at the server, and how often each of them was updated. */
export class SelectiveWeights {
  readonly weights: Float32Array;
  readonly counts: Uint32Array;

  constructor(initial: Float32Array, counts?: Uint32Array) {
    this.weights = initial.slice();
    this.counts = counts?.slice() ?? new Uint32Array(initial.length);
  }

  /**
   * The values of the share of weights that were updated most often, places ascending; of those updated as
   * often as the last of them, some by lot.
   */
  mostUpdated(share: number, random: Random): WeightUpdate {
    const { weights, counts } = this;
    const wanted = Math.round(share * weights.length);
    const least = countOfRank(counts, wanted);
    const places: number[] = [];
    const tied: number[] = [];
    counts.forEach((count, place) => {
      if (count > least) places.push(place);
      else if (count === least) tied.push(place);
    });
    const drawn = sample(tied, wanted - places.length, random);
    const chosen = Uint32Array.from([...drawn, ...places]).sort();
    return {
      places: chosen,
      values: Float32Array.from(chosen, (place) => weights[place] as number),
    };
  }

  /** Adds the changes of a worker and counts them. Throws `federation-update-invalid`, with nothing changed. */
  add(update: WeightUpdate): void {
    requireAddable(this.weights, update);
    const { places, values } = update;
    values.forEach((value, i) => {
      const place = places ? (places[i] as number) : i;
      (this.weights[place] as number) += value;
      (this.counts[place] as number)++;
    });
  }
}

/**
 * One epoch of one worker (Festag and Spreckelsen 2020, figure 5): the server's most updated weights over its
 * own, an epoch at home, what it selects of the changes. Nothing is uploaded yet. Returns the mean loss too.
 */
export async function selectiveEpoch(
  training: LocalTraining,
  downloaded: WeightUpdate,
  config: SelectiveConfig,
  random: Random,
  signal?: AbortSignal,
): Promise<{ readonly update: WeightUpdate; readonly loss: number }> {
  const before = training.weights();
  requireFitting(downloaded, before.length);
  overwrite(before, downloaded);
  training.load(before);
  const loss = await training.epoch(random, signal);
  const update = selectChanges(before, training.weights(), config, random.fork('selection'));
  return { update, loss };
}

/** The changes that leave: over the threshold, clamped, and of those so many by lot as the share allows. */
export function selectChanges(
  before: Float32Array,
  after: Float32Array,
  { uploadShare, bound, threshold }: SelectiveConfig,
  random: Random,
): WeightUpdate {
  const candidates: number[] = [];
  after.forEach((value, place) => {
    if (Math.abs(value - (before[place] as number)) > threshold) candidates.push(place);
  });
  const most = Math.round(uploadShare * after.length);
  const places = Uint32Array.from(sample(candidates, most, random)).sort();
  const values = Float32Array.from(places, (place) => {
    const change = (after[place] as number) - (before[place] as number);
    return Math.min(Math.max(change, -bound), bound);
  });
  return { places, values };
}

/** The least count among the `rank` highest; above all counts where none is wanted. */
function countOfRank(counts: Uint32Array, rank: number): number {
  if (rank === 0) return Number.POSITIVE_INFINITY;
  return counts.toSorted()[counts.length - rank] as number;
}

/** `most` of the items, every choice equally likely; all of them where they are no more. */
function sample(items: number[], most: number, random: Random): number[] {
  if (items.length <= most) return items;
  const drawn = items.slice();
  for (let i = 0; i < most; i++) {
    const other = i + random.integer(drawn.length - i);
    [drawn[i], drawn[other]] = [drawn[other] as number, drawn[i] as number];
  }
  return drawn.slice(0, Math.max(most, 0));
}
