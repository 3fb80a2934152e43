/** Labels beside the points of a figure, placed so that none lies over another, a marker or a line. */
import { type Html, html } from '../evaluation/html.js';
import { colourOf, fixed, type Scales, type Series } from './series.js';

interface Box {
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
/** One label serves for all points of its curve's colour that are this near and would say the same. */
const SHARED_WITHIN = 60;

/** `scales` gives those of a series by its place; nothing is drawn right of `edge`. */
export function labelMarks(
  series: readonly Series[],
  scales: (index: number) => Scales,
  edge: number,
): Html[] {
  const places = series.map(({ points }, i) => {
    const { px, py } = scales(i);
    return points.map(([x, y]) => [px(x), py(y)] as const);
  });
  const taken = places.flatMap((points) => [
    ...points.map((point) => around(point, MARKER)),
    ...points.slice(1).flatMap((to, k) => alongLine(points[k], to)),
  ]);
  const placed: { text: string; colour: string; x: number; y: number }[] = [];
  const marks: Html[] = [];
  series.forEach((each, i) => {
    const colour = colourOf(each, i);
    each.labels?.forEach((text, k) => {
      const [x, y] = places[i][k];
      const isSaid = placed.some(
        (other) =>
          other.text === text &&
          other.colour === colour &&
          Math.hypot(other.x - x, other.y - y) < SHARED_WITHIN,
      );
      if (text === '' || isSaid) return;
      const [first, ...rest] = boxesBeside(x, y, text.length * LETTER);
      const box =
        [first, ...rest].find(
          (one) => one.right <= edge && !taken.some((other) => overlap(one, other)),
        ) ?? first;
      taken.push(box);
      placed.push({ text, colour, x, y });
      marks.push(
        html`<text x="${fixed(box.left)}" y="${fixed(box.bottom - 2)}" font-size="${SIZE}" fill="${colour}" stroke="#fff" stroke-width="3" paint-order="stroke">${text}</text>`,
      );
    });
  });
  return marks;
}

type Place = readonly [x: number, y: number];

function around([x, y]: Place, reach: number): Box {
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
}

function alongLine([x, y]: Place, [toX, toY]: Place): Box[] {
  const steps = Math.ceil(Math.hypot(toX - x, toY - y) / SIZE);
  return Array.from({ length: steps }, (_, i) => {
    const share = i / steps;
    return around([x + share * (toX - x), y + share * (toY - y)], 1);
  });
}

/** Over the point and under it, to either side, then farther away. */
function boxesBeside(x: number, y: number, width: number): [Box, ...Box[]] {
  const boxes = [1, 2, 3].flatMap((lines) =>
    [-1, 1].flatMap((below) =>
      [x + OFFSET, x - OFFSET - width, x - width / 2].map((left): Box => {
        const near = y + below * (OFFSET + (lines - 1) * SIZE);
        const top = below > 0 ? near : near - SIZE;
        return { left, right: left + width, top, bottom: top + SIZE };
      }),
    ),
  );
  return boxes as [Box, ...Box[]];
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
