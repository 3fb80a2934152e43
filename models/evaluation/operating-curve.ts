import { bootstrapIntervals, type Interval } from '../statistics/bootstrap.js';

/** A token: how likely it is PHI to a de-identifier, and whether it is. */
export interface JudgedToken {
  /** Posterior that it is PHI. */
  readonly phi: number;
  readonly isPhi: boolean;
}

/** What a de-identifier finds where a token is PHI from a posterior on. */
export interface OperatingPoint {
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
}

/** Equal for every curve, so that all are resampled alike. */
const BOOTSTRAP_SEED = 1;

/** Precision against recall of PHI tokens by thresholds on one de-identifier's posteriors. */
export class OperatingCurve {
  /** Tokens of all units in falling order of their posteriors. */
  readonly #posteriors: Float64Array;
  readonly #isPhi: Uint8Array;
  readonly #units: Uint32Array;
  /** How many documents, or groups of them that are drawn together where documents are resampled. */
  readonly size: number;

  /** @param units the tokens of each document, or of each such group. */
  constructor(units: readonly (readonly JudgedToken[])[]) {
    this.size = units.length;
    const order = units
      .flatMap((tokens, unit) => tokens.map((token) => ({ ...token, unit })))
      .sort((a, b) => b.phi - a.phi);
    this.#posteriors = Float64Array.from(order, ({ phi }) => phi);
    this.#isPhi = Uint8Array.from(order, ({ isPhi }) => Number(isPhi));
    this.#units = Uint32Array.from(order, ({ unit }) => unit);
  }

  /**
   * The threshold with the greatest recall whose precision is at least `precision`; undefined where no threshold has
   * that. Tokens of one posterior stand on one side of it.
   */
  at(precision: number): OperatingPoint | undefined {
    return this.#best(precision, new Uint32Array(this.size).fill(1));
  }

  /**
   * The recall at each of `precisions` where unit i counts `weights[i]` times; 0 where no threshold has a precision,
   * since none may then be used.
   */
  recalls(precisions: readonly number[], weights: Uint32Array): number[] {
    return precisions.map((precision) => this.#best(precision, weights)?.recall ?? 0);
  }

  #best(precision: number, weights: Uint32Array): OperatingPoint | undefined {
    let best: { right: number; taken: number; at: number } | undefined;
    let right = 0;
    let taken = 0;
    for (let i = 0; i < this.#posteriors.length; i++) {
      const weight = weights[this.#units[i]];
      taken += weight;
      right += weight * this.#isPhi[i];
      if (this.#posteriors[i + 1] === this.#posteriors[i]) continue;
      if (right > 0 && right / taken >= precision) best = { right, taken, at: i };
    }
    if (!best) return undefined;
    return {
      threshold: this.#posteriors[best.at],
      precision: best.right / best.taken,
      recall: best.right / right,
    };
  }
}

/**
 * 95 % intervals of statistics of curves over the same units (`size`), which are drawn with replacement, the same for every
 * call; none of fewer than ten. `statistics` is given how often each unit was drawn.
 */
export function curveIntervals(
  size: number,
  statistics: (weights: Uint32Array) => readonly number[],
): Interval[] {
  const all = Array.from({ length: size }, (_, unit) => unit);
  const draw = (sample: readonly number[]) => {
    const weights = new Uint32Array(size);
    for (const unit of sample) weights[unit]++;
    return statistics(weights);
  };
  return bootstrapIntervals(all, draw, { seed: BOOTSTRAP_SEED });
}
