import type { VNode } from 'preact';
import { Figure } from '../../platform/pages/figure.js';
import {
  type Axis,
  coordinate,
  type Drawn,
  dashes,
  place,
  type Scales,
  type Series,
  withStyle,
} from './series.js';
import { SeriesMarks } from './series-marks.js';

const WIDTH = 480;
const HEIGHT = 300;
const LEFT = 52;
const BOTTOM = 42;
const TOP = 10;
const RIGHT = 22;

interface LineChartProps {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

/** Lines over two axes as a figure of a page, with a legend below; the page's style draws the text. */
export function LineChart({ title, x, y, series }: LineChartProps): VNode {
  const scales: Scales = {
    px: (value) => LEFT + place(x, value) * (WIDTH - LEFT - RIGHT),
    py: (value) => HEIGHT - BOTTOM - place(y, value) * (HEIGHT - TOP - BOTTOM),
  };
  const drawn = series.map(withStyle);
  return (
    <Figure title={title}>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {x.ticks.map((tick) => xTick(scales.px(tick), x.text(tick)))}
        {y.ticks.map((tick) => yTick(scales.py(tick), y.text(tick)))}
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} text-anchor="middle">
          {x.label}
        </text>
        <text transform="rotate(-90)" x={-(TOP + HEIGHT - BOTTOM) / 2} y="13" text-anchor="middle">
          {y.label}
        </text>
        {drawn.map((each) => (
          <SeriesMarks series={each} scales={scales} />
        ))}
      </svg>
      <ul class="legend">{drawn.filter(({ name }) => name !== '').map(legendEntry)}</ul>
    </Figure>
  );
}

function xTick(at: number, text: string): VNode {
  const x = coordinate(at);
  return (
    <>
      <line class="grid" x1={x} x2={x} y1={TOP} y2={HEIGHT - BOTTOM} />
      <text x={x} y={HEIGHT - BOTTOM + 16} text-anchor="middle">
        {text}
      </text>
    </>
  );
}

function yTick(at: number, text: string): VNode {
  const y = coordinate(at);
  return (
    <>
      <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y} y2={y} />
      <text x={LEFT - 6} y={coordinate(at + 4)} text-anchor="end">
        {text}
      </text>
    </>
  );
}

function legendEntry(series: Drawn): VNode {
  return (
    <li>
      <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
        <line
          x1="0"
          x2="24"
          y1="4"
          y2="4"
          stroke={series.colour}
          stroke-width="3"
          stroke-dasharray={dashes(series)}
        />
      </svg>{' '}
      {series.name}
    </li>
  );
}
