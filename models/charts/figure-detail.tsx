import type { VNode } from 'preact';
import { labelMarks } from './labels.js';
import {
  Axes,
  FIGURE_WIDTH,
  hollowFirst,
  isWithin,
  LEFT,
  PLOT_WIDTH,
  type Plot,
  RIGHT,
  scalesOf,
  TEXT,
} from './plot.js';
import { coordinate, type Drawn, placeOnLine } from './series.js';
import { SeriesMarks } from './series-marks.js';

const DETAIL = 'The framed part, larger';
/** In the detail there is room for a label beside each point. */
const DETAIL_SHARED = 0;

interface FigureDetailProps {
  readonly series: readonly Drawn[];
  /** Where the frame is drawn. */
  readonly above: Plot;
  readonly plot: Plot;
}

/** The detail, cut off at its edges, and a frame around its place in the plot above. */
export function FigureDetail({ series, above, plot }: FigureDetailProps): VNode {
  const { top, bottom } = plot;
  const scales = scalesOf(plot, placeOnLine);
  const inside = series.map((each) => labelledIn(each, plot, true));
  const [width, height] = [PLOT_WIDTH + RIGHT, bottom - top];
  return (
    <>
      {frame(above, plot)}
      <text x={LEFT} y={top - 10}>
        {DETAIL}
      </text>
      <Axes plot={plot} />
      <svg
        x={LEFT}
        y={top}
        width={width}
        height={height}
        viewBox={`${LEFT} ${top} ${width} ${height}`}
      >
        <title>{DETAIL}</title>
        {hollowFirst(series).map((each) => (
          <SeriesMarks series={each} scales={scales} />
        ))}
        {labelMarks(
          inside,
          () => scales,
          { left: LEFT, right: FIGURE_WIDTH, top, bottom },
          DETAIL_SHARED,
        )}
      </svg>
    </>
  );
}

function frame(above: Plot, { x, y }: Plot): VNode {
  const { px, py } = scalesOf(above);
  return (
    <rect
      x={coordinate(px(x.from))}
      y={coordinate(py(y.to))}
      width={coordinate(px(x.to) - px(x.from))}
      height={coordinate(py(y.from) - py(y.to))}
      fill="none"
      stroke={TEXT}
      stroke-width="0.8"
    />
  );
}

/** With the labels of the points alone that lie in a part of the figure, or outside it. */
export function labelledIn(series: Drawn, part: Pick<Plot, 'x' | 'y'>, inside: boolean): Drawn {
  const labels = series.labels?.map((label, i) =>
    isWithin(part, series.points[i]) === inside ? label : '',
  );
  return labels ? { ...series, labels } : series;
}
