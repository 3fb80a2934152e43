import { MARKERS, type Marker } from './markers.js';

export interface Axis {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly log?: boolean;
  /** A column of equal width for each tick, whose points stand in it; values between ticks have no place. */
  readonly columns?: boolean;
  /** How a tick is written. */
  readonly text: (value: number) => string;
}

const DASHES = { dashed: '5 4', dotted: '1.5 4', 'dash-dot': '9 3 2 3' } as const;
export type Dashes = keyof typeof DASHES;

export interface Series {
  /** For the legend, which leaves out the empty one. */
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A limit or a reference rather than a measurement. */
  readonly dashed?: boolean | Dashes;
  /** 95 % intervals of the points. */
  readonly intervals?: readonly (readonly [low: number, high: number])[];
  /** The same along the x axis. */
  readonly xIntervals?: readonly (readonly [low: number, high: number])[];
  /** Beside the points of a figure (`labels.ts`); the empty one is left out. */
  readonly labels?: readonly string[];
  /** Drawn at every point. */
  readonly marker?: Marker;
  readonly hollow?: boolean;
  /** By default one of `COLOURS`, by the place among the series. */
  readonly colour?: string;
}

/**
 * Colours that colour-blind readers tell apart (Okabe and Ito 2008), for what was measured. Pages have a
 * lighter one for each where their ground is dark (`platform/pages/style/chart-dark.css`).
 */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#000'];
/** No measured series has these. */
export const AIM_COLOUR = '#b07d00';
export const REFERENCE_COLOUR = '#888';

const ROUNDS: readonly (false | Dashes)[] = [false, 'dotted', 'dash-dot', 'dashed'];

/** How a series looks, apart from where it lies. */
export type Look = Required<Pick<Series, 'colour' | 'marker' | 'dashed'>>;

/** The i-th of 192 looks, no two alike; the first six have colours and markers of their own. */
export function lookOf(i: number): Look {
  const round = Math.floor(i / COLOURS.length);
  return shapedLook(i, (i % COLOURS.length) + round, Math.floor(round / MARKERS.length));
}

/** A colour and a marker by their places, going round, and dashes from the second round of markers on. */
export function shapedLook(
  colour: number,
  marker: number,
  round = Math.floor(marker / MARKERS.length),
): Look {
  return {
    colour: COLOURS[colour % COLOURS.length],
    marker: MARKERS[marker % MARKERS.length],
    dashed: ROUNDS[round % ROUNDS.length],
  };
}

/** A series with the colour and the dashes that it gets by its place among others. */
export function withStyle<S extends Series>(series: S, index: number): S & { colour: string } {
  const { colour = COLOURS[index % COLOURS.length], marker } = series;
  const round = series.colour || marker ? 0 : Math.floor(index / COLOURS.length);
  const { dashed = ROUNDS[round % ROUNDS.length] } = series;
  return { ...series, colour, dashed };
}

/** From values to places in a picture. */
export interface Scales {
  readonly px: (value: number) => number;
  readonly py: (value: number) => number;
}

/** A series with what it gets by its place among others. */
export type Drawn = Series & { readonly colour: string };

export function dashes({ dashed = false }: Pick<Series, 'dashed'>): string {
  if (dashed === false) return 'none';
  return DASHES[dashed === true ? 'dashed' : dashed];
}

/** Where a value stands between the ends of an axis, 0 to 1; what lies beyond them stands at the end. */
export function place(axis: Axis, value: number): number {
  if (axis.columns) return placeInColumns(axis, value);
  return placeOnLine(axis, Math.min(axis.to, Math.max(axis.from, value)));
}

/** The same of an axis without columns, but what lies beyond its ends stands beyond 0 and 1. */
export function placeOnLine({ from, to, log }: Axis, value: number): number {
  const scale = log ? Math.log10 : (each: number) => each;
  return (scale(value) - scale(from)) / (scale(to) - scale(from));
}

function placeInColumns({ from, ticks }: Axis, value: number): number {
  const column = ticks.indexOf(value);
  if (column >= 0) return (column + 0.5) / ticks.length;
  return value <= from ? 0 : 1;
}

export function coordinate(value: number): string {
  return value.toFixed(1);
}
