import type { Figure } from '../charts/figure.js';
import type { Axis, Series } from '../charts/series.js';
import type { Cell } from './cell.js';
import type { Row } from './row.js';

/** A figure and the name of its files. */
export interface NamedFigure {
  readonly file: string;
  readonly figure: Figure;
}

export const CHANCE = 0.5;
export const GREY = '#666';

export const KIND_NAMES: Readonly<Record<string, string>> = {
  pseudonymized: 'pseudonymised text',
  augmented: 'non-private, with pseudonymised copies',
  adversarial: 'adversarial',
  certified: 'certified',
  dann: 'DANN',
};

export function pointsOf(found: readonly (Cell & { readonly x: number })[]) {
  return {
    points: found.map(({ x, value }) => [x, value] as const),
    intervals: found.map(({ value, interval }) => interval ?? ([value, value] as const)),
  };
}

export function flatLine(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((x) => [x, value] as const);
  return { name, points, dashed: true, colour: GREY };
}

export function upright(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((y) => [value, y] as const);
  return { name, points, dashed: true };
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
