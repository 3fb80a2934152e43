/** Labels beside the points of a figure, placed so that none lies over another, a marker or a line. */
import type { VNode } from 'preact';
import { coordinate, type Drawn, type Scales } from './series.js';

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const SIZE = 10;
/** The mean width of a letter. */
const LETTER = 0.55 * SIZE;
/** From a point to its label. */
const OFFSET = 6;
const MARKER = 4;
/** A label that is farther than this from its point has a line to it. */
const BESIDE = 2 * OFFSET + 1;
/** Of lying over a label or a marker, in pieces of a line. */
const TAKEN_COST = 20;
const SHARED_WITHIN = 60;

/**
 * Labels in `area`, as far from others, from markers and from lines as it has room for; a line leads
 * from a point to a label that does not stand beside it. One label serves for points of a colour that
 * are nearer than `sharedWithin` pixels and would say the same.
 */
export function labelMarks(
  series: readonly Drawn[],
  scalesOf: (series: Drawn) => Scales,
  area: Box,
  sharedWithin = SHARED_WITHIN,
): VNode[] {
  const places = series.map((each) => {
    const { px, py } = scalesOf(each);
    return each.points.map(([x, y]) => [px(x), py(y)] as const);
  });
  const taken = places.flatMap((points) => points.map((point) => around(point, MARKER)));
  const lines = places.flatMap((points) =>
    points.slice(1).flatMap((to, k) => alongLine(points[k], to)),
  );
  const placed: { text: string; colour: string; x: number; y: number }[] = [];
  const marks: VNode[] = [];
  series.forEach((each, i) => {
    const { colour } = each;
    each.labels?.forEach((text, k) => {
      const [x, y] = places[i][k];
      const isSaid = placed.some(
        (other) =>
          other.text === text &&
          other.colour === colour &&
          Math.hypot(other.x - x, other.y - y) < sharedWithin,
      );
      if (text === '' || isSaid) return;
      const boxes = boxesBeside(x, y, text.length * LETTER).map((one) => moveInto(area, one));
      const box = leastOver(boxes, taken, lines);
      taken.push(box);
      placed.push({ text, colour, x, y });
      marks.push(
        <>
          {leader(x, y, box, colour)}
          <text
            x={coordinate(box.left)}
            y={coordinate(box.bottom - 2)}
            font-size={SIZE}
            fill={colour}
            stroke="#fff"
            stroke-width="3"
            paint-order="stroke"
          >
            {text}
          </text>
        </>,
      );
    });
  });
  return marks;
}

/** Nothing where the label stands beside its point. */
function leader(x: number, y: number, box: Box, colour: string): VNode | null {
  const toX = Math.min(box.right, Math.max(box.left, x));
  const toY = Math.min(box.bottom, Math.max(box.top, y));
  if (Math.hypot(toX - x, toY - y) <= BESIDE) return null;
  return (
    <line
      stroke={colour}
      stroke-width="0.8"
      stroke-opacity="0.7"
      x1={coordinate(x)}
      y1={coordinate(y)}
      x2={coordinate(toX)}
      y2={coordinate(toY)}
    />
  );
}

type Point = readonly [x: number, y: number];

function around([x, y]: Point, reach: number): Box {
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
}

function alongLine([x, y]: Point, [toX, toY]: Point): Box[] {
  const steps = Math.ceil(Math.hypot(toX - x, toY - y) / SIZE);
  return Array.from({ length: steps }, (_, i) => {
    const share = i / steps;
    return around([x + share * (toX - x), y + share * (toY - y)], 1);
  });
}

/** Over the point and under it, to either side, then level with it, then farther away. */
function boxesBeside(x: number, y: number, width: number): Box[] {
  const level = [x + 2 * OFFSET, x - 2 * OFFSET - width].map((left): Box => {
    return { left, right: left + width, top: y - SIZE / 2, bottom: y + SIZE / 2 };
  });
  const [near, ...far] = [1, 2, 3].map((lines) =>
    [-1, 1].flatMap((below) =>
      [x + OFFSET, x - OFFSET - width, x - width / 2].map((left): Box => {
        const near = y + below * (OFFSET + (lines - 1) * SIZE);
        const top = below > 0 ? near : near - SIZE;
        return { left, right: left + width, top, bottom: top + SIZE };
      }),
    ),
  );
  return [...near, ...level, ...far.flat()];
}

function moveInto(area: Box, { left, right, top, bottom }: Box): Box {
  const across = Math.max(0, area.left - left) - Math.max(0, right - area.right);
  const down = Math.max(0, area.top - top) - Math.max(0, bottom - area.bottom);
  return { left: left + across, right: right + across, top: top + down, bottom: bottom + down };
}

/** The first that lies over nothing, or else over the fewest: lines can be seen on either side. */
function leastOver(boxes: readonly Box[], taken: readonly Box[], lines: readonly Box[]): Box {
  const over = (box: Box, others: readonly Box[]) =>
    others.filter((other) => overlap(box, other)).length;
  const costs = boxes.map((box) => TAKEN_COST * over(box, taken) + over(box, lines));
  return boxes[costs.indexOf(Math.min(...costs))];
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
