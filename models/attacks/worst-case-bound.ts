import type { TypeOf } from '../../proto/typed-schema.js';
import { accuracyLimit } from '../certification/accuracy.js';
import { gaussianEpsilon } from '../certification/gaussian-mechanism.js';
import type { View } from '../networks/view.js';
import type { WORST_CASE, WORST_CASE_BOUND } from './report/audit-schema.js';

/** What holds for any two texts whatever, from unit vectors and the output noise alone. */
export type WorstCaseBound = TypeOf<typeof WORST_CASE_BOUND>;

export type WorstCase = TypeOf<typeof WORST_CASE>;

const DELTA = 1e-5;
const LONGEST_UNIT_DISTANCE = 2;

/**
 * The Gaussian mechanism on unit vectors, which a representation gives and raw embeddings are not. Two
 * of them lie at most 2 apart, so one token's vector at most 2 / min σ_out in units of the noise, and
 * those of a sentence of T tokens √T times that. Input noise only helps.
 */
export function worstCaseBound(view: View, tokens: number): WorstCaseBound {
  const stddev = view.outputStddev();
  const least = Math.min(...stddev.dataSync<'float32'>());
  stddev.dispose();
  const worstCase = (distance: number): WorstCase => ({
    distance,
    epsilon: gaussianEpsilon(distance, DELTA),
    accuracy: accuracyLimit(distance ** 2),
  });
  const token = LONGEST_UNIT_DISTANCE / least;
  return {
    delta: DELTA,
    token: worstCase(token),
    sentence: { ...worstCase(token * Math.sqrt(tokens)), tokens },
  };
}
