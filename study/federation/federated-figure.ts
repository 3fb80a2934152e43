import type { Figure } from '../../models/charts/figure.js';
import { percentAxis } from '../../models/charts/percent-axis.js';
import type { Axis, Series } from '../../models/charts/series.js';
import type { ExperimentSummary } from './federated-summary.js';

const MOST_TICKS = 10;

/**
 * F1 of tokens, PHI or not, by epoch: the mean over the workers' networks and their range, as in the paper, of all
 * seeds.
 */
export function federatedFigure(experiments: readonly ExperimentSummary[], title: string): Figure {
  const series = experiments.map(seriesOf);
  const last = Math.max(1, ...experiments.map(({ curve }) => curve.at(-1)?.epoch ?? 0));
  const seeds = Math.max(1, ...experiments.map((each) => each.seeds.length));
  return {
    title,
    x: epochAxis(last),
    y: percentAxis('F1 of tokens, PHI or not, on held-out notes (%)', series),
    series,
    caption:
      'An epoch sees every note of every worker once. Lines are means over the networks of an experiment' +
      `${seeds > 1 ? ` of ${seeds} seeds` : ''}, bars reach from the worst to the best of them.`,
  };
}

function seriesOf({ experiment, curve }: ExperimentSummary): Series {
  return {
    name: experiment,
    points: curve.map(({ epoch, mean }) => [epoch, mean]),
    intervals: curve.map(({ range }) => range),
  };
}

function epochAxis(last: number): Axis {
  const step = Math.ceil(last / MOST_TICKS);
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  return { label: 'epoch', from: 0, to: Math.max(last, ticks.at(-1) ?? 0), ticks, text: String };
}
