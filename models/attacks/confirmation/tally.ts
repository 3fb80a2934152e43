import { logMeanExp } from '../../statistics/log-mean-exp.js';
import { Frequencies } from './frequencies.js';
import type { Guess } from './guesses.js';
import { type HeldNotes, labelKeyOf } from './held-notes.js';
import type { HeldPiece } from './held-piece.js';
import { windowOf } from './labelled-window.js';
import type { PopulationLikelihood } from './population-likelihood.js';
import type { ReleasesOfLength } from './released-segment.js';
import type { Evidence } from './sight.js';

/** Gathers what the releases say of held pieces, length by length. */
export class Tally {
  /** By key, of each free guess, the log-likelihood ratio of the vectors of its length. */
  readonly #vectors = new Map<string, number[]>();
  /** By key, of each release that has the labels of a guess, the log-likelihood ratio of its vectors. */
  readonly #fitting = new Map<string, number[]>();
  readonly #counted = new Map<string, number>();
  readonly #releases: number;
  readonly #releasesOfLength: ReadonlyMap<number, number>;
  readonly #releasedLabels: Frequencies<string>;
  readonly #labels: Frequencies<string>;
  readonly #lengths: Frequencies<number>;

  constructor(held: HeldNotes, segment: ReadonlyMap<number, ReleasesOfLength>) {
    const released = [...segment.values()].flatMap(({ labels }) => labels);
    this.#releases = released.length;
    this.#releasesOfLength = new Map(
      [...segment].map(([length, { labels }]) => [length, labels.length]),
    );
    this.#releasedLabels = new Frequencies(released.map((labels) => labelKeyOf(labels, held)));
    const others = held.populationPieces.map(({ labels }) => labels);
    this.#labels = new Frequencies(others.map((labels) => labelKeyOf(labels, held)));
    this.#lengths = new Frequencies(others.map(({ length }) => length));
  }

  /** Guesses of one length V, the log-likelihoods of the releases of that length under them [V·K]. */
  add(
    guesses: readonly Guess[],
    scores: Float64Array,
    { labels }: ReleasesOfLength,
    { ofLength, ofLabels }: PopulationLikelihood,
  ): void {
    const shown = labels.map((each) => `${each}`);
    const K = labels.length;
    for (const [v, guess] of guesses.entries()) {
      const { key, isFree, isFitting } = guess;
      this.#count(key);
      const own = scores.subarray(v * K, (v + 1) * K);
      if (isFree)
        listIn(this.#vectors, key).push(logMeanExp(own.map((score, k) => score - ofLength[k])));
      if (!isFitting) continue;
      const like = `${guess.labels}`;
      own.forEach((score, k) => {
        if (shown[k] === like) listIn(this.#fitting, key).push(score - ofLabels[k]);
      });
    }
  }

  /** Guesses of a length that no release has. */
  addUnseen(guesses: readonly Guess[]): void {
    for (const { key, isFree } of guesses) {
      this.#count(key);
      if (isFree) listIn(this.#vectors, key).push(Number.NEGATIVE_INFINITY);
    }
  }

  /** The log-likelihood ratios of the pieces all of whose guesses were added, by their keys. */
  ratios(
    pieces: readonly HeldPiece[],
    guesses: readonly Guess[],
    held: HeldNotes,
  ): Map<string, Evidence> {
    const own = new Map<string, Guess[]>();
    for (const guess of guesses) listIn(own, guess.key).push(guess);
    return new Map(
      pieces.flatMap(({ key, sentence: { example }, piece }) => {
        const made = own.get(key) ?? [];
        if (made.length === 0 || this.#counted.get(key) !== made.length) return [];
        const labelKey = labelKeyOf(windowOf(example, piece).labels, held);
        const common = -Math.log(this.#releases) - Math.log(this.#labels.share(labelKey));
        const fitting = this.#fitting.get(key) ?? [];
        const ratios: Evidence = {
          all: logMeanExp(fitting) + Math.log(fitting.length) + common,
          vectors: logMeanExp(this.#vectors.get(key) ?? []),
          labels: Math.log(this.#releasedLabels.count(labelKey)) + common,
          lengths: logMeanExp(
            made.filter(({ isFree }) => isFree).map((each) => this.#ofLength(each)),
          ),
        };
        return [[key, ratios] as const];
      }),
    );
  }

  #ofLength({ labels: { length } }: Guess): number {
    const share = (this.#releasesOfLength.get(length) ?? 0) / this.#releases;
    return Math.log(share) - Math.log(this.#lengths.share(length));
  }

  #count(key: string): void {
    this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
  }
}

function listIn<V>(lists: Map<string, V[]>, key: string): V[] {
  const known = lists.get(key);
  if (known) return known;
  const fresh: V[] = [];
  lists.set(key, fresh);
  return fresh;
}
