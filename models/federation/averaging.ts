import { overflowOf, requireAddable, type WeightUpdate } from './weight-update.js';

/** What a worker sends at the end of a round: the changes of all weights, and on how many texts they rest. */
export interface RoundUpdate {
  readonly update: WeightUpdate;
  readonly texts: number;
}

/**
 * Federated averaging (McMahan et al. 2017, algorithm 1) at the server: the changes of a round, each weighed by
 * the number of its texts, are added to the weights when the round is closed.
 */
export class AveragedWeights {
  readonly weights: Float32Array;
  /** From 1 on. */
  round: number;
  readonly #received: Map<string, RoundUpdate>;

  /** `received` is what has come of the round already, whether or not it would be taken now. */
  constructor(
    initial: Float32Array,
    round = 1,
    received: ReadonlyMap<string, RoundUpdate> = new Map(),
  ) {
    this.weights = initial.slice();
    this.round = round;
    this.#received = new Map(received);
  }

  /** Whose changes of the round there are. */
  get received(): ReadonlyMap<string, RoundUpdate> {
    return this.#received;
  }

  /** Takes a worker's changes of this round; a second time they change nothing. Throws `federation-update-invalid`. */
  add(worker: string, update: RoundUpdate): void {
    requireAddable(this.weights, update.update);
    if (!this.#received.has(worker)) this.#received.set(worker, update);
  }

  /**
   * Ends the round with what has come. Nothing has changed where nothing has. Changes that no finite weights could
   * follow from are left out, and where rounding makes one infinite after all, the weights stay as they were.
   */
  close(): void {
    const next = this.weights.slice();
    const updates = [...this.#received.values()].filter(
      ({ update }) => overflowOf(this.weights, update) < 0,
    );
    const texts = updates.reduce((sum, each) => sum + each.texts, 0);
    for (const { update, texts: own } of updates) {
      const share = own / texts;
      update.values.forEach((value, i) => {
        const place = update.places ? (update.places[i] as number) : i;
        (next[place] as number) += share * value;
      });
    }
    if (next.every(Number.isFinite)) this.weights.set(next);
    this.#received.clear();
    this.round++;
  }
}

/** The change of every weight. */
export function changesOf(before: Float32Array, after: Float32Array): WeightUpdate {
  return { values: after.map((value, place) => value - (before[place] as number)) };
}
