import type { Axis, Series } from './series.js';

/** Steps between ticks, in per cent; the first that needs no more than `MOST_TICKS`. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const MOST_TICKS = 8;
const LEAST_STEPS = 3;
/** Room between the outermost value and the end of the axis, in steps. */
const HEADROOM = 0.1;

/**
 * An axis of per cent around all values (0 to 1) and intervals of some series: those of their points'
 * second coordinate, or with `coordinate` 0 of their first.
 */
export function percentAxis(label: string, series: readonly Series[], coordinate: 0 | 1 = 1): Axis {
  const values = series.flatMap(({ points, intervals = [], xIntervals = [] }) => [
    ...points.map((point) => point[coordinate]),
    ...(coordinate === 1 ? intervals : xIntervals).flat(),
  ]);
  const low = 100 * Math.min(...values);
  const high = 100 * Math.max(...values);
  const step = STEPS.find((each) => (high - low) / each <= MOST_TICKS - 2) ?? 20;
  const least = Math.floor(low / step - HEADROOM);
  const most = Math.ceil(high / step + HEADROOM);
  const more = Math.max(0, Math.ceil((LEAST_STEPS - (most - least)) / 2));
  const first = Math.max(0, least - more);
  const last = Math.min(Math.round(100 / step), most + more);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => ((first + i) * step) / 100);
  const decimals = step < 1 ? 1 : 0;
  return {
    label,
    from: ticks[0],
    to: ticks[ticks.length - 1],
    ticks,
    text: (value) => (100 * value).toFixed(decimals),
  };
}
