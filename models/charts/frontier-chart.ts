import { percent } from '../../platform/percent-text.js';
import { type Html, html } from './html.js';
import { type Marker, markerAt } from './markers.js';
import { COLOURS } from './series.js';

/** One audited model: what it is worth and what can be learnt from what it shares. */
export interface FrontierPoint {
  /** What tells it from others of its series, e.g. `λ = 0.1`. */
  readonly label: string;
  /** How it was trained. */
  readonly series: string;
  /** N. */
  readonly neighbours: number;
  readonly f1: number;
  readonly f1Interval: readonly [low: number, high: number];
  /** How often the strongest attack was right, or the most that any can be. */
  readonly success: number;
  readonly successInterval: readonly [low: number, high: number];
  readonly kind: 'attack' | 'bound';
}

const WIDTH = 860;
const HEIGHT = 520;
const PLOT = { left: 70, right: 640, top: 46, bottom: 458 };
const LEGEND_LEFT = 664;

interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

interface Group {
  readonly name: string;
  readonly colour: string;
  readonly marker: Marker;
  readonly kind: FrontierPoint['kind'];
  readonly points: readonly FrontierPoint[];
}

/**
 * The project's central figure as an SVG document that stands alone: attack success and certified
 * bound against F1, each point with both 95 % intervals. Low and to the right is best.
 */
export function frontierChart(points: readonly FrontierPoint[]): string {
  const x = scaleOf(
    points.flatMap(({ f1Interval }) => f1Interval),
    PLOT.left,
    PLOT.right,
  );
  const least = Math.min(0.5, ...points.map(({ successInterval: [low] }) => low));
  const y = scaleOf([least, 1], PLOT.bottom, PLOT.top);
  const groups = groupsOf(points);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#3b434b" role="img" aria-label="attack success against F1">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${PLOT.left}" y="24" font-size="15" font-weight="600" fill="#1d2126">What an attacker gets right, against what the model is worth</text>
${x.ticks.map((tick) => gridLine(x.at(tick), PLOT.top, x.at(tick), PLOT.bottom))}
${x.ticks.map((tick) => html`<text x="${fixed(x.at(tick))}" y="${PLOT.bottom + 18}" text-anchor="middle">${tickText(tick, x.ticks)}</text>`)}
${y.ticks.map((tick) => gridLine(PLOT.left, y.at(tick), PLOT.right, y.at(tick)))}
${y.ticks.map((tick) => html`<text x="${PLOT.left - 8}" y="${fixed(y.at(tick) + 4)}" text-anchor="end">${tickText(tick, y.ticks)}</text>`)}
<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 44}" text-anchor="middle">F1 of the de-identifier (better to the right)</text>
<text transform="rotate(-90)" x="${-(PLOT.top + PLOT.bottom) / 2}" y="20" text-anchor="middle">pairs told apart, 50 % is a coin (better below)</text>
${groups.map((group) => marksOf(group, x, y))}
${labelsOf(points, groups, x, y)}
${groups.map((group, i) => legendOf(group, PLOT.top + 14 + 30 * i))}
</svg>
`.markup;
}

/** Markers by kind, for as often as the colours go round. */
const MARKERS_OF: Readonly<Record<FrontierPoint['kind'], readonly Marker[]>> = {
  attack: ['circle', 'square', 'triangle', 'star'],
  bound: ['diamond', 'wedge', 'plus', 'cross'],
};

function groupsOf(points: readonly FrontierPoint[]): Group[] {
  const names: string[] = [];
  const groups = new Map<string, FrontierPoint[]>();
  for (const point of points) {
    const name = `${point.series}, N = ${point.neighbours}`;
    if (!names.includes(name)) names.push(name);
    const key = `${point.kind}/${name}`;
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  return [...groups].map(([key, own]) => {
    const [{ kind }] = own;
    const name = key.slice(kind.length + 1);
    const sorted = [...own].sort((a, b) => a.f1 - b.f1);
    const place = names.indexOf(name);
    const markers = MARKERS_OF[kind];
    return {
      ...{ name, kind, colour: COLOURS[place % COLOURS.length], points: sorted },
      marker: markers[Math.floor(place / COLOURS.length) % markers.length],
    };
  });
}

function marksOf({ points, colour, kind, marker }: Group, x: Scale, y: Scale): Html {
  const line = points.map(({ f1, success }) => `${fixed(x.at(f1))},${fixed(y.at(success))}`);
  return html`<polyline fill="none" stroke="${colour}" stroke-opacity="0.5" stroke-width="1.5" stroke-dasharray="${kind === 'bound' ? '5 4' : 'none'}" points="${line.join(' ')}"/>
${points.map((point) => {
  const { f1, f1Interval, success, successInterval } = point;
  const [px, py] = [x.at(f1), y.at(success)];
  return html`<g stroke="${colour}" stroke-opacity="0.6"><line x1="${fixed(x.at(f1Interval[0]))}" x2="${fixed(x.at(f1Interval[1]))}" y1="${fixed(py)}" y2="${fixed(py)}"/><line x1="${fixed(px)}" x2="${fixed(px)}" y1="${fixed(y.at(successInterval[0]))}" y2="${fixed(y.at(successInterval[1]))}"/></g>${markerAt(marker, px, py, colour, kind === 'bound')}
`;
})}`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const LINE = 13;
const CHARACTER = 6.6;

/** Labels beside the points, each where it covers no point and no label before it, if it can. */
function labelsOf(
  points: readonly FrontierPoint[],
  groups: readonly Group[],
  x: Scale,
  y: Scale,
): Html[] {
  const taken: Box[] = points.map(({ f1, success }) => {
    return { x: x.at(f1) - 6, y: y.at(success) + LINE / 2, width: 12 };
  });
  return groups.flatMap(({ points: own, colour }) =>
    own
      .filter((point) => !isNamedByAttack(point, points))
      .map(({ label, f1, success }) => {
        const width = CHARACTER * label.length;
        const [px, py] = [x.at(f1), y.at(success)];
        const offered = [
          { x: px + 9, y: py - 6 },
          { x: px + 9, y: py + 15 },
          { x: px - 9 - width, y: py - 6 },
          { x: px - 9 - width, y: py + 15 },
          { x: px + 9, y: py - 22 },
          { x: px + 9, y: py + 31 },
        ].map((place) => ({ ...place, width }));
        const free = offered.find(
          (box) => box.x + width < PLOT.right && taken.every((other) => isApart(box, other)),
        );
        const box = free ?? offered[0];
        taken.push(box);
        return html`<text x="${fixed(box.x)}" y="${fixed(box.y)}" font-size="11" fill="${colour}">${label}</text>
`;
      }),
  );
}

/** One label is enough for a model's attack and its bound. */
function isNamedByAttack(point: FrontierPoint, points: readonly FrontierPoint[]): boolean {
  if (point.kind === 'attack') return false;
  return points.some(
    ({ kind, label, series, neighbours }) =>
      kind === 'attack' &&
      label === point.label &&
      series === point.series &&
      neighbours === point.neighbours,
  );
}

function isApart(one: Box, other: Box): boolean {
  return (
    one.x + one.width < other.x || other.x + other.width < one.x || Math.abs(one.y - other.y) > LINE
  );
}

const MOST_NAME = 24;

function legendOf({ name, kind, colour, marker }: Group, y: number): Html {
  const what = kind === 'attack' ? 'strongest attack' : 'limit of all attacks';
  const shown = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
  return html`${markerAt(marker, LEGEND_LEFT, y - 4, colour, kind === 'bound')}<text x="${LEGEND_LEFT + 12}" y="${y}"><title>${name}</title>${shown}</text><text x="${LEGEND_LEFT + 12}" y="${y + 10}" font-size="9" fill="#5b6570">${what}</text>
`;
}

const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const MOST_TICKS = 8;

/** Round ticks around the values, at most 8; a single value gets room on both sides. */
function scaleOf(values: readonly number[], start: number, end: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(high - low, 0.004);
  const step = STEPS.find((each) => span / each <= MOST_TICKS - 2) ?? STEPS[STEPS.length - 1];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  const at = (value: number) =>
    start + ((value - ticks[0]) / (ticks[ticks.length - 1] - ticks[0])) * (end - start);
  return { ticks, at };
}

function tickText(value: number, ticks: readonly number[]): string {
  const digits = ticks[1] - ticks[0] < 0.0099 ? 1 : 0;
  return percent(value, { digits });
}

function gridLine(x1: number, y1: number, x2: number, y2: number): Html {
  return html`<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" stroke="#e3e7ea"/>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
