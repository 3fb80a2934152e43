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

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A limit rather than a measurement. */
  readonly dashed?: boolean;
  /** 95 % intervals of the points. */
  readonly intervals?: readonly (readonly [low: number, high: number])[];
}

const WIDTH = 480;
const HEIGHT = 300;
const LEFT = 52;
const BOTTOM = 42;
const TOP = 10;
const RIGHT = 22;

/** Colours that colour-blind readers tell apart (Okabe and Ito 2008), one a series. */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#b07d00', '#444'];

/** Lines over two axes as inline SVG, with a legend below. */
export function lineChart(title: string, x: Axis, y: Axis, series: readonly Series[]): Html {
  const px = (value: number) => LEFT + place(x, value) * (WIDTH - LEFT - RIGHT);
  const py = (value: number) => HEIGHT - BOTTOM - place(y, value) * (HEIGHT - TOP - BOTTOM);
  return html`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${x.ticks.map((tick) => html`<line class="grid" x1="${fixed(px(tick))}" x2="${fixed(px(tick))}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text x="${fixed(px(tick))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${x.text(tick)}</text>`)}
${y.ticks.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(py(tick))}" y2="${fixed(py(tick))}"/><text x="${LEFT - 6}" y="${fixed(py(tick) + 4)}" text-anchor="end">${y.text(tick)}</text>`)}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${x.label}</text>
<text transform="rotate(-90)" x="${-(TOP + HEIGHT - BOTTOM) / 2}" y="13" text-anchor="middle">${y.label}</text>
${series.map((each, i) => seriesMarks(each, COLOURS[i % COLOURS.length], px, py))}
</svg>
<ul class="legend">${series.map((each, i) => legendEntry(each, COLOURS[i % COLOURS.length]))}</ul>
</figure>
`;
}

function seriesMarks(
  { points, intervals, dashed }: Series,
  colour: string,
  px: (value: number) => number,
  py: (value: number) => number,
): Html {
  const path = points.map(([x, y]) => `${fixed(px(x))},${fixed(py(y))}`).join(' ');
  const bars = (intervals ?? []).map(
    ([low, high], i) =>
      html`<line stroke="${colour}" stroke-opacity="0.45" x1="${fixed(px(points[i][0]))}" x2="${fixed(px(points[i][0]))}" y1="${fixed(py(low))}" y2="${fixed(py(high))}"/>`,
  );
  return html`<polyline fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashed ? '5 4' : 'none'}" points="${path}"/>${bars}`;
}

function legendEntry({ name, dashed }: Series, colour: string): Html {
  return html`<li><svg class="key" viewBox="0 0 24 8"><line x1="0" x2="24" y1="4" y2="4" stroke="${colour}" stroke-width="3" stroke-dasharray="${dashed ? '5 4' : 'none'}"/></svg> ${name}</li>`;
}

/** Where a value stands between the ends of an axis, 0 to 1. */
function place({ from, to, log }: Axis, value: number): number {
  const scale = log ? Math.log10 : (each: number) => each;
  const kept = Math.min(to, Math.max(from, value));
  return (scale(kept) - scale(from)) / (scale(to) - scale(from));
}

function fixed(value: number): string {
  return value.toFixed(1);
}
