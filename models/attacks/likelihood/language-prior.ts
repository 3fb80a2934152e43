import type { TextExample } from '../../training/data/examples.js';

const ROUNDS = 20;
/** Weight of a word that the notes never hold, against one for every other. */
const UNSEEN_WORDS = 1;

/**
 * An interpolated bigram model with the label in it, learnt on the attacker's own notes:
 *
 *   p(w | v, l) = λ₂ p(w | word before = v, label = l) + λ₁ p(w | label = l) + λ₀ / V
 *
 * by relative frequencies, the weights by expectation maximisation on notes that the frequencies were
 * not counted on (Jelinek and Mercer 1980). V counts the words of the notes and one for all others.
 */
export class LanguagePrior {
  readonly #bigrams = new Counts();
  readonly #labels = new Counts();
  readonly #words = new Set<number>();
  #weights: readonly [uniform: number, label: number, bigram: number] = [1 / 3, 1 / 3, 1 / 3];

  constructor(train: readonly TextExample[], validation: readonly TextExample[]) {
    for (const { ids, labels } of train) {
      ids.forEach((id, t) => {
        this.#words.add(id);
        this.#labels.add(`${labels[t]}`, id);
        this.#bigrams.add(contextOf(ids, labels, t), id);
      });
    }
    for (let round = 0; round < ROUNDS; round++) this.#weights = this.#reestimated(validation);
  }

  /** λ₀, λ₁, λ₂. */
  get weights(): readonly number[] {
    return this.#weights;
  }

  /** The terms of log p(sentence) that depend on the words at `positions`: theirs, and those of the words after them. */
  logProbability(ids: Int32Array, labels: Uint8Array, positions: readonly number[]): number {
    const touched = new Set(positions.flatMap((t) => (t + 1 < ids.length ? [t, t + 1] : [t])));
    let sum = 0;
    for (const t of touched) sum += Math.log(this.#probability(ids, labels, t));
    return sum;
  }

  #probability(ids: Int32Array, labels: Uint8Array, t: number): number {
    const terms = this.#terms(ids, labels, t);
    return this.#weights.reduce((sum, weight, i) => sum + weight * terms[i], 0);
  }

  #terms(ids: Int32Array, labels: Uint8Array, t: number): [number, number, number] {
    return [
      1 / (this.#words.size + UNSEEN_WORDS),
      this.#labels.share(`${labels[t]}`, ids[t]),
      this.#bigrams.share(contextOf(ids, labels, t), ids[t]),
    ];
  }

  #reestimated(validation: readonly TextExample[]): [number, number, number] {
    const sums: [number, number, number] = [0, 0, 0];
    for (const { ids, labels } of validation) {
      ids.forEach((_, t) => {
        const parts = this.#terms(ids, labels, t).map((term, i) => term * this.#weights[i]);
        const total = parts[0] + parts[1] + parts[2];
        parts.forEach((part, i) => {
          sums[i] += part / total;
        });
      });
    }
    const total = sums[0] + sums[1] + sums[2];
    // Never zero: a word that the notes lack must stay possible.
    const kept = sums.map((sum) => Math.max(sum / Math.max(1, total), 1e-6));
    const scale = kept[0] + kept[1] + kept[2];
    return [kept[0] / scale, kept[1] / scale, kept[2] / scale];
  }
}

/** The word before, −1 at the start, and the label. */
function contextOf(ids: Int32Array, labels: Uint8Array, t: number): string {
  return `${t === 0 ? -1 : ids[t - 1]}/${labels[t]}`;
}

/** How often words follow a context. */
class Counts {
  readonly #of = new Map<string, Map<number, number>>();
  readonly #totals = new Map<string, number>();

  add(context: string, word: number): void {
    const words = this.#of.get(context) ?? new Map<number, number>();
    words.set(word, (words.get(word) ?? 0) + 1);
    this.#of.set(context, words);
    this.#totals.set(context, (this.#totals.get(context) ?? 0) + 1);
  }

  share(context: string, word: number): number {
    const total = this.#totals.get(context);
    return total === undefined ? 0 : (this.#of.get(context)?.get(word) ?? 0) / total;
  }
}
