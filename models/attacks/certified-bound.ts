import type { TypeOf } from '../../proto/typed-schema.js';
import { LEAST_ACCURACY } from '../certification/accuracy.js';
import { pairBound } from '../certification/bounds.js';
import { documentsOf, estimate } from '../statistics/estimate.js';
import { ofOrigins } from '../statistics/origins.js';
import { quantile } from '../statistics/quantile.js';
import type { AttackContext } from './attack.js';
import type { CERTIFIED_BOUND } from './report/audit-schema.js';
import { slicesOf } from './report/slices.js';

/** The upper limit on every possible attacker of pairs, as the audit's notes show it. */
export type CertifiedBoundReport = TypeOf<typeof CERTIFIED_BOUND>;

const RELEASES = [1, 2, 4, 8, 16, 32, 64];

/**
 * The upper limit on every possible adversary for pairs with one moved token. Given one draw n of
 * the input noise, shared by both sides, the releases are Gaussians of one covariance at distance
 * Δ(n) = ‖(f(x+n) − f(x'+n)) / σ_out‖₂, which the best test tells apart with probability Φ(Δ/2);
 * total variation is jointly convex, so the mean over n is a limit on all tests. A mean can hide
 * pairs that are wide open: hence the quantiles.
 */
export function certifiedBound({
  trials,
  distances,
  comparisons,
  origins,
}: Pick<AttackContext, 'trials' | 'distances' | 'comparisons' | 'origins'>): CertifiedBoundReport {
  const bounds = distances.map((squared) => pairBound(squared));
  const documents = ofOrigins(
    trials.map(({ example }) => example),
    origins,
  );
  const observationsOf = (of: readonly number[]) =>
    documents.map(({ documentIndex }, i) => ({ documentIndex, value: of[i] }));
  return {
    pairs: trials.length,
    documents: documentsOf(documents),
    draws: distances[0]?.length ?? 0,
    bound: estimate(observationsOf(bounds), comparisons, LEAST_ACCURACY),
    median: quantile(bounds, 0.5) ?? LEAST_ACCURACY,
    percentile95: quantile(bounds, 0.95) ?? LEAST_ACCURACY,
    percentile99: quantile(bounds, 0.99) ?? LEAST_ACCURACY,
    maximum: quantile(bounds, 1) ?? LEAST_ACCURACY,
    shareOver60: bounds.filter((bound) => bound > 0.6).length / bounds.length,
    slices: slicesOf(
      observationsOf(bounds).map((each, i) => ({ ...each, traits: trials[i].traits })),
      LEAST_ACCURACY,
    ),
    releases: RELEASES.map((releases) => {
      const own = distances.map((squared) => pairBound(squared, releases));
      const { value, interval } = estimate(observationsOf(own), 1, LEAST_ACCURACY);
      return { releases, bound: value, interval };
    }),
  };
}
