import type { VNode } from 'preact';
import { Point } from './markers.js';
import { coordinate, type Drawn, dashes, type Scales } from './series.js';

interface SeriesMarksProps {
  readonly series: Drawn;
  readonly scales: Scales;
}

/** A series as lines, intervals and markers; one for the legend alone has none of them. */
export function SeriesMarks({ series, scales: { px, py } }: SeriesMarksProps): VNode {
  const { points, marker, hollow, colour } = series;
  const path = points.map(([x, y]) => `${coordinate(px(x))},${coordinate(py(y))}`).join(' ');
  return (
    <>
      {points.length > 0 && (
        <polyline
          fill="none"
          stroke={colour}
          stroke-width="2"
          stroke-dasharray={dashes(series)}
          points={path}
        />
      )}
      {points.flatMap((_, i) => intervalBars(series, { px, py }, i))}
      {marker &&
        points.map(([x, y]) => (
          <Point marker={marker} x={px(x)} y={py(y)} colour={colour} hollow={hollow} />
        ))}
    </>
  );
}

function intervalBars(series: Drawn, { px, py }: Scales, i: number): VNode[] {
  const { points, intervals = [], xIntervals = [], colour } = series;
  const [x, y] = points[i];
  const bar = (x1: number, x2: number, y1: number, y2: number) => (
    <line
      stroke={colour}
      stroke-width="1.5"
      stroke-opacity="0.5"
      x1={coordinate(x1)}
      x2={coordinate(x2)}
      y1={coordinate(y1)}
      y2={coordinate(y2)}
    />
  );
  return [
    ...intervals.slice(i, i + 1).map(([low, high]) => bar(px(x), px(x), py(low), py(high))),
    ...xIntervals.slice(i, i + 1).map(([low, high]) => bar(px(low), px(high), py(y), py(y))),
  ];
}
