import type { WeightUpdate } from '../../federation/weight-update.js';
import type { Background } from './background.js';

/**
 * The matched filter of an attacker who takes what other texts did to the weights for independent Gaussian
 * noise: an update is b + c t + noise, with t what the attacked text would do. All sums are over the weights
 * that were sent alone, each by its variance.
 */
export class MatchedFilter {
  readonly #places: Uint32Array | undefined;
  /** Of each weight that was sent, its change without what is expected of other texts. */
  readonly #rest: Float64Array;
  readonly #variance: Float64Array;

  constructor({ places, values }: WeightUpdate, { mean, variance }: Background) {
    this.#places = places;
    const at = (i: number) => (places ? (places[i] as number) : i);
    this.#rest = Float64Array.from(values, (value, i) => value - (mean[at(i)] as number));
    this.#variance = Float64Array.from(values, (_, i) => variance[at(i)] as number);
  }

  /** How much of a template [N] is in the update, in standard deviations of what other texts do. */
  evidence(template: Float32Array): number {
    const { along, length } = this.#products(template, template);
    return length > 0 ? along / Math.sqrt(length) : 0;
  }

  /**
   * Over zero where the update is likelier of `one` than of `other`, both [N] and at a scale that is taken from
   * the update itself: how far its projection on their difference lies beyond the middle between them.
   */
  likelier(one: Float32Array, other: Float32Array): number {
    const middle = one.map((value, i) => (value + (other[i] as number)) / 2);
    const difference = one.map((value, i) => value - (other[i] as number));
    const { along: present, length } = this.#products(middle, middle);
    const scale = length > 0 ? Math.max(present / length, 0) : 0;
    const { along, length: shared } = this.#products(difference, middle);
    return along - scale * shared;
  }

  /** ⟨Δ − b, a⟩ and ⟨a, t⟩. */
  #products(a: Float32Array, t: Float32Array): { along: number; length: number } {
    let along = 0;
    let length = 0;
    this.#rest.forEach((rest, i) => {
      const place = this.#places ? (this.#places[i] as number) : i;
      const weighted = (a[place] as number) / (this.#variance[i] as number);
      along += rest * weighted;
      length += (t[place] as number) * weighted;
    });
    return { along, length };
  }
}
