import {
  documentsOf,
  estimate,
  LEAST_DOCUMENTS,
  type Observation,
} from '../../statistics/estimate.js';
import { meanOf } from '../../statistics/mean-of.js';
import type { Slice } from '../attack.js';
import { TRAITS, type Traits } from '../traits.js';

/** What a trial came to, and what it was tried on. */
export interface SlicedObservation extends Observation {
  readonly traits?: Partial<Traits> | undefined;
  /** How often guessing is right in this trial. */
  readonly guessed?: number | undefined;
}

/** Fewer trials than this say too little of a slice. */
export const SMALLEST_SLICE = 10;

/** The mean of the values by each trait, where enough trials and notes have it. No value is less than `least`. */
export function slicesOf(observations: readonly SlicedObservation[], least = 0): Slice[] {
  return TRAITS.flatMap((by) => {
    const values = new Set(observations.flatMap(({ traits }) => traits?.[by] ?? []));
    return [...values].sort().flatMap((value) => {
      const own = observations.filter(({ traits }) => traits?.[by] === value);
      if (own.length < SMALLEST_SLICE || documentsOf(own) < LEAST_DOCUMENTS) return [];
      const { value: rate, interval } = estimate(own, 1, least);
      const guesses = own.flatMap(({ guessed }) => guessed ?? []);
      const chance = guesses.length === own.length ? { chance: meanOf(guesses) } : {};
      return [{ by, value, trials: own.length, success: { value: rate, interval }, ...chance }];
    });
  });
}
