import { LOSSES } from '../../../models/bundle/curve-metrics.js';
import type { TrainingCurve } from '../../../models/bundle/training-curve.js';
import { MARKERS } from '../../../models/charts/markers.js';
import { type Axis, COLOURS, type Series } from '../../../models/charts/series.js';
import { cut } from './cut.js';

/** As many as have colours of their own. */
const MOST_METRICS = COLOURS.length;
const LONGEST_NAME = 40;
/** A loss beyond it would leave nothing to be seen of the others. */
const GREATEST = 1e6;
/** Steps between ticks are no smaller. */
const SMALLEST = 1e-9;

/** The weighted sum of the losses, which a training goes by. */
const MONITOR = 'monitor';

type Point = readonly [epoch: number, value: number];

/** What was measured on validation notes over all epochs: losses, and other metrics. */
export function curveSeries(curve: TrainingCurve): { losses: Series[]; others: Series[] } {
  const names = [
    ...new Set(curve.epochs.flatMap(({ validation }) => Object.keys(validation))),
  ].filter((metric) => metric !== MONITOR);
  const isLoss = (metric: string) => metric.startsWith('l_');
  const of = (metrics: readonly string[]) =>
    metrics.slice(0, MOST_METRICS).flatMap((metric, i) => seriesOf(curve, metric, COLOURS[i]));
  return { losses: of(names.filter(isLoss)), others: of(names.filter((each) => !isLoss(each))) };
}

/** A metric stage by stage, since no line goes from one to another; a stage of one epoch is a marker. */
function seriesOf({ epochs }: TrainingCurve, metric: string, colour = COLOURS[0]): Series[] {
  const parts: Point[][] = [];
  for (const [at, { stage, validation }] of epochs.entries()) {
    if (stage !== epochs[at - 1]?.stage) parts.push([]);
    const value = Object.hasOwn(validation, metric) ? validation[metric] : null;
    if (typeof value === 'number' && Math.abs(value) <= GREATEST)
      parts.at(-1)?.push([at + 1, value]);
  }
  const name = cut(Object.hasOwn(LOSSES, metric) ? `${LOSSES[metric]}` : metric, LONGEST_NAME);
  return parts
    .filter((points) => points.length > 0)
    .map((points, i) => ({
      ...{ name: i === 0 ? name : '', points, colour },
      ...(points.length === 1 && { marker: MARKERS[0] }),
    }));
}

/** An axis of all epochs of a training, with a few ticks. */
export function epochAxis(epochs: number): Axis {
  const step = Math.max(1, Math.ceil(epochs / 8));
  const ticks = Array.from({ length: Math.ceil(epochs / step) }, (_, i) => 1 + i * step);
  return { label: 'epochs', from: 1, to: Math.max(2, epochs), ticks, text: String };
}

/** An axis around all values of some series and zero, with ticks at round numbers. */
export function axisAround(label: string, series: readonly Series[]): Axis {
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = roundStep((most - least) / 4);
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return {
    ...{ label, ticks, from: first * step, to: Math.max(last, first + 1) * step },
    text: (value) => `${Number(value.toPrecision(3))}`,
  };
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(atLeast: number): number {
  if (!(atLeast > SMALLEST)) return 1;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return ([1, 2, 5].find((each) => each * power >= atLeast) ?? 10) * power;
}
