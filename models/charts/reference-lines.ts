import { type Axis, type Dashes, REFERENCE_COLOUR, type Series } from './series.js';

/** How often a guesser is right on balanced pairs. */
export const CHANCE = 0.5;
export const REFERENCE_LOOK = { colour: REFERENCE_COLOUR, marker: 'circle' } as const;
const REFERENCE_DASHES: readonly Dashes[] = ['dashed', 'dotted', 'dash-dot'];

/** Dashed unlike the other references of a figure, `i` before it. */
export function flatLine(name: string, value: number, { from, to }: Axis, i = 0): Series {
  const points = [from, to].map((x) => [x, value] as const);
  return { name, points, dashed: REFERENCE_DASHES[i], colour: REFERENCE_COLOUR };
}

export function upright(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((y) => [value, y] as const);
  return { name, points, dashed: 'dotted' };
}
