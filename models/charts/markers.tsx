import type { VNode } from 'preact';

type Corner = readonly [x: number, y: number];

/** Corners in units of the radius. */
const CORNERS = {
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
  wedge: [
    [0, 1.2],
    [1.1, -0.9],
    [-1.1, -0.9],
  ],
  plus: crossCorners(0),
  star: Array.from({ length: 10 }, (_, i) => onCircle(-0.5 + i / 5, i % 2 === 0 ? 1.5 : 0.65)),
  cross: crossCorners(0.25),
} satisfies Record<string, readonly Corner[]>;

export type Marker = 'circle' | keyof typeof CORNERS;
export const MARKERS: readonly Marker[] = ['circle', ...(Object.keys(CORNERS) as Marker[])];

const FILLED_RADIUS = 4;
/** A filled marker at the same place leaves it to be seen. */
const HOLLOW_RADIUS = 6.5;

interface PointProps {
  readonly marker: Marker;
  readonly x: number;
  readonly y: number;
  readonly colour: string;
  readonly hollow?: boolean | undefined;
}

/** A point of a series. */
export function Point({ marker, x, y, colour, hollow = false }: PointProps): VNode {
  const look = { fill: hollow ? 'none' : colour, stroke: colour, 'stroke-width': 1.5 };
  const r = hollow ? HOLLOW_RADIUS : FILLED_RADIUS;
  if (marker === 'circle') return <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r={r} {...look} />;
  const corners = CORNERS[marker].map(
    ([dx, dy]) => `${(x + r * dx).toFixed(1)},${(y + r * dy).toFixed(1)}`,
  );
  return <polygon points={corners.join(' ')} {...look} />;
}

/** Two bars across each other, turned by so many half turns. */
function crossCorners(halfTurns: number): Corner[] {
  const [length, width] = [1.3, 0.4];
  return Array.from({ length: 4 }, (_, arm) => {
    const turn = ([x, y]: Corner): Corner => {
      const angle = Math.PI * (halfTurns + arm / 2);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      return [x * cos - y * sin, x * sin + y * cos];
    };
    return [turn([length, -width]), turn([length, width]), turn([width, width])];
  }).flat();
}

function onCircle(halfTurns: number, radius: number): Corner {
  const angle = Math.PI * halfTurns;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
