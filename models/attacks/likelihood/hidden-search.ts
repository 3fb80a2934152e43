import type { Random } from '../../tensor/random.js';
import type * as tf from '../../tensor/tf.js';
import type { AuditTarget } from '../target.js';
import { beamSearch } from './beam-search.js';
import type { HiddenWords } from './hidden-words.js';
import type { LanguagePrior } from './language-prior.js';
import { likelihoods } from './likelihoods.js';
import { guessFromList } from './list-guess.js';
import { observeNotes } from './observe.js';
import type { Scorer } from './scorer.js';

/** How often a search goes through all places. */
export const SWEEPS = 2;

/** Of each place the options with the highest scores at first sight; the search tries no others. */
const KEPT_BY_LIKELIHOOD = 24;
const KEPT_BY_POSTERIOR = 12;

/** An option of each place. */
export type Choice = readonly number[];

export interface SearchOptions {
  readonly scorer: Scorer;
  readonly draws: number;
  readonly width: number;
  readonly random: Random;
}

/** Looks for the hidden words of one sentence. Its searches share the draws of the noise, and likelihoods once computed. */
export class HiddenSearch {
  readonly #target: AuditTarget;
  readonly #hidden: HiddenWords;
  readonly #options: SearchOptions;
  readonly #released: tf.Tensor2D;
  readonly #known = new Map<string, number>();

  constructor(target: AuditTarget, hidden: HiddenWords, options: SearchOptions) {
    this.#target = target;
    this.#hidden = hidden;
    this.#options = options;
    const random = options.random.fork('release');
    this.#released = observeNotes(target, [hidden.example], random).reshape([1, -1]);
  }

  /** By the prior alone. */
  guess(prior: LanguagePrior): readonly number[] {
    const all = this.#hidden.places.map(({ options }) => [...options.keys()]);
    const score = (fillings: readonly Choice[]) =>
      fillings.map((filling) => this.#priorOf(prior, filling));
    return beamSearch(this.#first(), all, { ...this.#options, sweeps: SWEEPS, score }).chosen;
  }

  /**
   * Scores every option of each place once, with the places before it filled by their best options.
   * Returns that filling, and the options of each place that the search is to try.
   */
  look(prior?: LanguagePrior): { start: Choice; kept: Choice[] } {
    let start = this.#first();
    const kept = this.#hidden.places.map(({ options }, place) => {
      const fillings = [...options.keys()].map((option) => start.with(place, option));
      const likely = this.#likelihoods(fillings);
      const best = bestOf(likely, KEPT_BY_LIKELIHOOD);
      start = start.with(place, best[0]);
      if (!prior) return best;
      const posterior = fillings.map((each, i) => likely[i] + this.#priorOf(prior, each));
      return [...new Set([...best, ...bestOf(posterior, KEPT_BY_POSTERIOR)])];
    });
    return { start, kept };
  }

  /** By the likelihood of the release, times the prior where there is one. */
  likeliest({ start, kept }: ReturnType<HiddenSearch['look']>, prior?: LanguagePrior): Choice {
    const score = (fillings: readonly Choice[]) => {
      const likely = this.#likelihoods(fillings);
      return fillings.map((each, i) => likely[i] + (prior ? this.#priorOf(prior, each) : 0));
    };
    return beamSearch(start, kept, { ...this.#options, sweeps: SWEEPS, score }).chosen;
  }

  /** By the lists of candidates alone. */
  guessFromLists(): Choice {
    const random = this.#options.random.fork('lists');
    return this.#hidden.places.map(({ options }) =>
      guessFromList(this.#target.vocabulary, options, random),
    );
  }

  isRight(filling: Choice, place: number): boolean {
    const { example, places } = this.#hidden;
    const { options, position } = places[place];
    return options[filling[place]] === example.ids[position];
  }

  #first(): Choice {
    return this.#hidden.places.map(() => 0);
  }

  #filled(filling: Choice): Int32Array {
    const ids = this.#hidden.example.ids.slice();
    this.#hidden.places.forEach(({ position, options }, place) => {
      ids[position] = options[filling[place]];
    });
    return ids;
  }

  #priorOf(prior: LanguagePrior, filling: Choice): number {
    const { example, places } = this.#hidden;
    const positions = places.map(({ position }) => position);
    return prior.logProbability(this.#filled(filling), example.labels, positions);
  }

  #likelihoods(fillings: readonly Choice[]): number[] {
    const fresh = fillings.filter((filling) => !this.#known.has(filling.join()));
    if (fresh.length > 0) {
      const { representation, vocabulary } = this.#target;
      const { scorer, draws, random } = this.#options;
      const found = likelihoods(
        representation,
        vocabulary,
        fresh.map((filling) => this.#filled(filling)),
        this.#released,
        draws,
        random.fork('noise'),
      )[scorer];
      fresh.forEach((filling, i) => {
        this.#known.set(filling.join(), found[i]);
      });
    }
    return fillings.map((filling) => this.#known.get(filling.join()) ?? Number.NEGATIVE_INFINITY);
  }
}

/** Where the highest scores are, highest first. */
function bestOf(scores: readonly number[], count: number): number[] {
  return [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, count);
}
