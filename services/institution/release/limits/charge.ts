import { accuracyLimit, LEAST_ACCURACY } from '../../../../models/certification/accuracy.js';
import { upperMean } from '../../../../models/certification/upper-mean.js';

/**
 * What releases reveal of one PHI entity: Δ² of moving it to each of some sampled twins, with input
 * noise drawn anew for each. Twins are the same in all sentences, so charges of several sentences,
 * releases and jobs add up twin by twin. Infinite where what is missing may tell the twin apart.
 */
export interface Charge {
  /** [twins] */
  readonly squared: Float64Array;
}

/** Sampled twins of an entity: what the upper end of a limit near 0.6 takes, if all of them are close. */
export const TWINS = 32;

export const NO_CHARGE: Charge = { squared: new Float64Array(0) };

/** Twins that only one of them knows are left out. */
export function plus(a: Charge, b: Charge): Charge {
  if (a.squared.length === 0) return b;
  if (b.squared.length === 0) return a;
  const squared = a.squared.slice(0, Math.min(a.squared.length, b.squared.length));
  for (let i = 0; i < squared.length; i++)
    squared[i] = (squared[i] as number) + (b.squared[i] as number);
  return { squared };
}

export function sumOf(charges: Iterable<Charge>): Charge {
  let sum = NO_CHARGE;
  for (const charge of charges) sum = plus(sum, charge);
  return sum;
}

/**
 * No adversary is right more often than this about whether an entity is itself or one of its twins,
 * drawn uniformly: the upper end of E[Φ(½√ΣΔ²)], over twins and noise. Given the noise the releases
 * are Gaussians at distance √ΣΔ² (docs/theory.md). It is below the truth in 2.5 % of cases at most,
 * whatever the distribution of Δ², and however often sentences share their twins: each draw is the sum
 * over all sentences for one twin, and twins are drawn independently.
 */
export function accuracyBound({ squared }: Charge): number {
  if (squared.every((value) => value === 0)) return LEAST_ACCURACY;
  return upperMean(Array.from(squared, accuracyLimit), LEAST_ACCURACY);
}

/** What the ledger knows of an entity. */
export interface Spent extends Charge {
  /** With its whole name. */
  readonly sentences: number;
  /** How many other entities stood in those sentences, counted in each anew. */
  readonly companions: number;
  /** Whether what was missing from a release may have told anything of it. */
  readonly isTold: boolean;
}

export const NOTHING_SPENT: Spent = { ...NO_CHARGE, sentences: 0, companions: 0, isTold: false };

/** A charge where some twins are told apart by what is missing. */
export function openTo({ squared }: Charge, isTold: readonly boolean[] | undefined): Charge {
  if (!isTold?.includes(true)) return { squared };
  return { squared: squared.map((value, i) => (isTold[i] ? Number.POSITIVE_INFINITY : value)) };
}
