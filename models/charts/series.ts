import { type Html, html } from '../evaluation/html.js';

export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly log?: boolean;
  /** How a tick is written. */
  readonly text: (value: number) => string;
}

export const MARKERS = ['circle', 'square', 'triangle', 'diamond'] as const;
export type Marker = (typeof MARKERS)[number];

export interface Series {
  /** For the legend; a figure leaves out the empty one. */
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A limit or a reference rather than a measurement. */
  readonly dashed?: boolean;
  /** 95 % intervals of the points. */
  readonly intervals?: readonly (readonly [low: number, high: number])[];
  /** Beside the points of a figure (`labels.ts`); the empty one is left out. */
  readonly labels?: readonly string[];
  /** Drawn at every point. */
  readonly marker?: Marker;
  readonly hollow?: boolean;
  /** By default one of `COLOURS`, by the place among the series. */
  readonly colour?: string;
}

/** Colours that colour-blind readers tell apart (Okabe and Ito 2008), one a series. */
export const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#b07d00',
  '#444',
  '#a5a5a5',
];

/** From values to places in a picture. */
export interface Scales {
  readonly px: (value: number) => number;
  readonly py: (value: number) => number;
}

export function colourOf({ colour }: Series, index: number): string {
  return colour ?? COLOURS[index % COLOURS.length];
}

/** A series as lines, intervals and markers. */
export function seriesMarks(series: Series, colour: string, { px, py }: Scales): Html {
  const { points, intervals = [], marker, hollow = false } = series;
  const path = points.map(([x, y]) => `${fixed(px(x))},${fixed(py(y))}`).join(' ');
  const bars = intervals.map(([low, high], i) => {
    const x = fixed(px(points[i][0]));
    return html`<line stroke="${colour}" stroke-width="1.5" stroke-opacity="0.5" x1="${x}" x2="${x}" y1="${fixed(py(low))}" y2="${fixed(py(high))}"/>`;
  });
  const markers = points.flatMap(([x, y]) =>
    marker ? [markerAt(marker, px(x), py(y), colour, hollow)] : [],
  );
  return html`<polyline fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes(series)}" points="${path}"/>${bars}${markers}`;
}

export function dashes({ dashed }: Series): string {
  return dashed ? '5 4' : 'none';
}

export function markerAt(
  marker: Marker,
  x: number,
  y: number,
  colour: string,
  hollow: boolean,
): Html {
  const fill = hollow ? '#fff' : colour;
  const r = 4;
  if (marker === 'circle')
    return html`<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${r}" fill="${fill}" stroke="${colour}" stroke-width="1.5"/>`;
  const corners = CORNERS[marker].map(([dx, dy]) => `${fixed(x + r * dx)},${fixed(y + r * dy)}`);
  return html`<polygon points="${corners.join(' ')}" fill="${fill}" stroke="${colour}" stroke-width="1.5"/>`;
}

const CORNERS: Readonly<Record<Exclude<Marker, 'circle'>, readonly (readonly [number, number])[]>> =
  {
    square: [
      [-0.9, -0.9],
      [0.9, -0.9],
      [0.9, 0.9],
      [-0.9, 0.9],
    ],
    triangle: [
      [0, -1.2],
      [1.1, 0.9],
      [-1.1, 0.9],
    ],
    diamond: [
      [0, -1.3],
      [1.1, 0],
      [0, 1.3],
      [-1.1, 0],
    ],
  };

/** Where a value stands between the ends of an axis, 0 to 1. */
export function place({ from, to, log }: Axis, value: number): number {
  const scale = log ? Math.log10 : (each: number) => each;
  const kept = Math.min(to, Math.max(from, value));
  return (scale(kept) - scale(from)) / (scale(to) - scale(from));
}

export function fixed(value: number): string {
  return value.toFixed(1);
}
