/** A field of a figure with its axes, and where in it series stand. */
import type { VNode } from 'preact';
import { type Axis, coordinate, type Drawn, place, type Scales } from './series.js';

export const FIGURE_WIDTH = 760;
export const LEFT = 66;
export const RIGHT = 24;
export const TEXT = '#222';
const FAINT = '#e2e2e2';
const SHADE = '#f4f5f6';
/** From series to series in a column, at most, and the share of a column that they take together. */
const STEP = 14;
const COLUMN_SHARE = 0.84;

/** One field of the figure with its axes; both fields are as wide. */
export interface Plot {
  readonly x: Axis;
  readonly y: Axis;
  readonly top: number;
  readonly bottom: number;
}

export const PLOT_WIDTH = FIGURE_WIDTH - LEFT - RIGHT;

export function scalesOf({ x, y, top, bottom }: Plot, at = place): Scales {
  return {
    px: (value) => LEFT + at(x, value) * PLOT_WIDTH,
    py: (value) => bottom - at(y, value) * (bottom - top),
  };
}

export function Axes({ plot }: { readonly plot: Plot }): VNode {
  const { x, y, top, bottom } = plot;
  return (
    <>
      {x.columns && x.ticks.map((_, i) => column(i, x.ticks.length, plot))}
      {x.ticks.map((tick) => xTick(tick, plot))}
      {y.ticks.map((tick) => yTick(tick, plot))}
      <path d={`M${LEFT} ${top} V${bottom} H${FIGURE_WIDTH - RIGHT}`} fill="none" stroke={TEXT} />
      <text x={LEFT + PLOT_WIDTH / 2} y={bottom + 38} text-anchor="middle">
        {x.label}
      </text>
      <text transform={`translate(16 ${(top + bottom) / 2}) rotate(-90)`} text-anchor="middle">
        {y.label}
      </text>
    </>
  );
}

/** Every other column is shaded, so that points are seen to stand in theirs. */
function column(i: number, count: number, { top, bottom }: Plot): VNode {
  const width = PLOT_WIDTH / count;
  return (
    <rect
      x={coordinate(LEFT + i * width)}
      y={top}
      width={coordinate(width)}
      height={bottom - top}
      fill={i % 2 === 0 ? SHADE : '#fff'}
    />
  );
}

export function isWithin(
  { x, y }: Pick<Plot, 'x' | 'y'>,
  [at, value]: readonly [number, number],
): boolean {
  return at >= x.from && at <= x.to && value >= y.from && value <= y.to;
}

/**
 * Series side by side in the columns, those of one look at one place. Series without markers are lines
 * of reference and stay where they are, as do keys of the legend.
 */
export function besideEachOther(series: readonly Drawn[], plot: Plot): (series: Drawn) => Scales {
  const scales = scalesOf(plot);
  const lookOf = ({ colour, marker }: Drawn) => `${colour} ${marker}`;
  const looksAt = new Map<number, string[]>();
  for (const each of series) {
    for (const [value] of each.marker ? each.points : []) {
      const looks = looksAt.get(value) ?? [];
      if (!looks.includes(lookOf(each))) looksAt.set(value, [...looks, lookOf(each)]);
    }
  }
  const width = (COLUMN_SHARE * PLOT_WIDTH) / plot.x.ticks.length;
  const shift = (look: string, value: number) => {
    const looks = looksAt.get(value) ?? [look];
    return (looks.indexOf(look) - (looks.length - 1) / 2) * Math.min(STEP, width / looks.length);
  };
  return (each) => {
    if (!each.marker) return scales;
    const look = lookOf(each);
    return { ...scales, px: (value) => scales.px(value) + shift(look, value) };
  };
}

function xTick(tick: number, plot: Plot): VNode {
  const { x, top, bottom } = plot;
  const at = coordinate(scalesOf(plot).px(tick));
  return (
    <>
      {!x.columns && <line stroke={FAINT} x1={at} x2={at} y1={top} y2={bottom} />}
      <text x={at} y={bottom + 18} text-anchor="middle">
        {x.text(tick)}
      </text>
    </>
  );
}

function yTick(tick: number, plot: Plot): VNode {
  const height = scalesOf(plot).py(tick);
  const at = coordinate(height);
  return (
    <>
      <line stroke={FAINT} x1={LEFT} x2={FIGURE_WIDTH - RIGHT} y1={at} y2={at} />
      <text x={LEFT - 8} y={coordinate(height + 4)} text-anchor="end">
        {plot.y.text(tick)}
      </text>
    </>
  );
}

/** Hollow markers are the larger ones: filled ones are drawn over them. */
export function hollowFirst(series: readonly Drawn[]): Drawn[] {
  return [...series.filter(({ hollow }) => hollow), ...series.filter(({ hollow }) => !hollow)];
}
