import { meanOf } from '../../models/statistics/mean-of.js';
import { quantile } from '../../models/statistics/quantile.js';
import type { FederatedResult } from './federated-study.js';

/** F1 of tokens after an epoch, over the networks of an experiment, of all seeds. */
export interface CurvePoint {
  readonly epoch: number;
  readonly mean: number;
  readonly range: readonly [least: number, most: number];
}

/** What an experiment comes to over all of its seeds. */
export interface ExperimentSummary {
  readonly experiment: string;
  readonly seeds: readonly number[];
  /** As far as every seed came. */
  readonly curve: readonly CurvePoint[];
  /** Of training an epoch of all holders, one after another, the median; scoring left out. */
  readonly epochSeconds: number;
  /** The same in times of D, where each holder trains alone; null where D was not measured. */
  readonly timesLocal: number | null;
}

const LOCAL = 'D';

/** In the order in which experiments come. */
export function federatedSummary(results: readonly FederatedResult[]): ExperimentSummary[] {
  const local = medianSeconds(results.filter(({ experiment }) => experiment === LOCAL));
  return [...new Set(results.map(({ experiment }) => experiment))].map((experiment) => {
    const own = results.filter((each) => each.experiment === experiment);
    const epochSeconds = medianSeconds(own) ?? 0;
    return {
      experiment,
      seeds: own.map(({ seed }) => seed),
      curve: curveOf(own),
      epochSeconds,
      timesLocal: local ? epochSeconds / local : null,
    };
  });
}

function curveOf(results: readonly FederatedResult[]): CurvePoint[] {
  const last = Math.min(...results.map(({ epochs }) => epochs.at(-1)?.epoch ?? 0));
  const all = results.flatMap(({ epochs }) => epochs);
  return Array.from({ length: last }, (_, i) => i + 1).map((epoch) => {
    const values = all.filter((each) => each.epoch === epoch).map(({ score }) => score.f1);
    return { epoch, mean: meanOf(values), range: [Math.min(...values), Math.max(...values)] };
  });
}

/** Where every worker has a network of its own, an epoch has a score of each. */
function medianSeconds(results: readonly FederatedResult[]): number | undefined {
  const sums = results.flatMap(({ epochs }) => {
    const byEpoch = new Map<number, number>();
    for (const { epoch, seconds } of epochs)
      byEpoch.set(epoch, (byEpoch.get(epoch) ?? 0) + seconds);
    return [...byEpoch.values()];
  });
  return quantile(sums, 0.5);
}
