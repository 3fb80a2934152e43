import type { Figure } from '../../models/charts/figure.js';
import type { Cell } from './cell.js';
import type { Row } from './row.js';

/** A figure and the name of its files. */
export interface NamedFigure {
  readonly file: string;
  readonly figure: Figure;
}

export function pointsOf(found: readonly (Cell & { readonly x: number })[]) {
  return {
    points: found.map(({ x, value }) => [x, value] as const),
    intervals: found.map(({ value, interval }) => interval ?? ([value, value] as const)),
  };
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
