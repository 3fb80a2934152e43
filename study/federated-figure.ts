import type { Figure } from '../models/charts/figure.js';
import { percentAxis } from '../models/charts/percent-axis.js';
import type { Axis, Series } from '../models/charts/series.js';
import type { FederatedResult } from './federated-study.js';

const MOST_TICKS = 10;

/** F1 of tokens, PHI or not, by epoch: the mean over the workers' networks and their range, as in the paper. */
export function federatedFigure(results: readonly FederatedResult[], title: string): Figure {
  const series = results.map(curveOf);
  const last = Math.max(1, ...results.flatMap(({ epochs }) => epochs.map(({ epoch }) => epoch)));
  return {
    title,
    x: epochAxis(last),
    y: percentAxis('F1 of tokens, PHI or not, on held-out notes (%)', series),
    series,
    caption:
      'An epoch sees every note of every worker once. Lines are means over the networks of an experiment, bars ' +
      'reach from the worst to the best of them.',
  };
}

function curveOf({ experiment, epochs }: FederatedResult): Series {
  const found = [...new Set(epochs.map(({ epoch }) => epoch))].map((epoch) => {
    const values = epochs.filter((each) => each.epoch === epoch).map(({ score }) => score.f1);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { epoch, mean, range: [Math.min(...values), Math.max(...values)] as const };
  });
  return {
    name: experiment,
    points: found.map(({ epoch, mean }) => [epoch, mean]),
    intervals: found.map(({ range }) => range),
  };
}

function epochAxis(last: number): Axis {
  const step = Math.ceil(last / MOST_TICKS);
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  return { label: 'epoch', from: 0, to: Math.max(last, ticks.at(-1) ?? 0), ticks, text: String };
}
