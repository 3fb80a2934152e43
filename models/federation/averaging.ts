import { requireFitting, type WeightUpdate } from './weight-update.js';

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
  readonly #received = new Map<string, RoundUpdate>();

  constructor(initial: Float32Array, round = 1) {
    this.weights = initial.slice();
    this.round = round;
  }

  /** Whose changes of the round there are. */
  get received(): ReadonlyMap<string, RoundUpdate> {
    return this.#received;
  }

  /** Takes a worker's changes of this round; a second time they change nothing. Throws `federation-update-invalid`. */
  add(worker: string, update: RoundUpdate): void {
    requireFitting(update.update, this.weights.length);
    if (!this.#received.has(worker)) this.#received.set(worker, update);
  }

  /** Ends the round with what has come. Nothing has changed where nothing has. */
  close(): void {
    const updates = [...this.#received.values()];
    const texts = updates.reduce((sum, each) => sum + each.texts, 0);
    for (const { update, texts: own } of updates) {
      const share = own / texts;
      update.values.forEach((value, i) => {
        const place = update.places ? (update.places[i] as number) : i;
        (this.weights[place] as number) += share * value;
      });
    }
    this.#received.clear();
    this.round++;
  }
}

/** The change of every weight. */
export function changesOf(before: Float32Array, after: Float32Array): WeightUpdate {
  return { values: after.map((value, place) => value - (before[place] as number)) };
}
