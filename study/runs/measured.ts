import type { Estimate } from '../../models/statistics/estimate.js';
import type { Measured } from './deidentifier-scores.js';

/** An estimate as `measurements.json` states it. */
export function asMeasured({ value, interval }: Omit<Estimate, 'corrected'>): Measured {
  return { value, interval };
}
