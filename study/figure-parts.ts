import type { Figure } from '../models/charts/figure.js';
import { type Axis, type Dashes, REFERENCE_COLOUR, type Series } from '../models/charts/series.js';
import type { Cell } from './cell.js';
import type { Row } from './row.js';

/** A figure and the name of its files. */
export interface NamedFigure {
  readonly file: string;
  readonly figure: Figure;
}

export const CHANCE = 0.5;
export const REFERENCE_LOOK = { colour: REFERENCE_COLOUR, marker: 'circle' } as const;
const REFERENCE_DASHES: readonly Dashes[] = ['dashed', 'dotted', 'dash-dot'];

export function pointsOf(found: readonly (Cell & { readonly x: number })[]) {
  return {
    points: found.map(({ x, value }) => [x, value] as const),
    intervals: found.map(({ value, interval }) => interval ?? ([value, value] as const)),
  };
}

/** Dashed unlike the other references of a figure, `i` before it. */
export function flatLine(name: string, value: number, { from, to }: Axis, i = 0): Series {
  const points = [from, to].map((x) => [x, value] as const);
  return { name, points, dashed: REFERENCE_DASHES[i], colour: REFERENCE_COLOUR };
}

export function upright(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((y) => [value, y] as const);
  return { name, points, dashed: 'dotted' };
}

export function intervalsOver(rows: readonly Row[]): string {
  const most = Math.max(...rows.map(({ seeds }) => seeds.length));
  return most === 1
    ? 'over notes (one seed)'
    : 'over notes, and over seeds where there are several';
}

/** The score that counts: on releases, or on the text that a kind without releases shares. */
export function scoreOf({ hasRepresentation, cells }: Row): Cell | undefined {
  return hasRepresentation ? cells.releasedF1 : cells.ownF1;
}
