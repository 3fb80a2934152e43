import { type Html, html } from './html.js';
import {
  type Axis,
  coordinate,
  dashes,
  place,
  type Scales,
  type Series,
  seriesMarks,
  withStyle,
} from './series.js';

const WIDTH = 480;
const HEIGHT = 300;
const LEFT = 52;
const BOTTOM = 42;
const TOP = 10;
const RIGHT = 22;

/** Lines over two axes as a figure of a page, with a legend below; the page's style draws the text. */
export function lineChart(title: string, x: Axis, y: Axis, series: readonly Series[]): Html {
  const scales: Scales = {
    px: (value) => LEFT + place(x, value) * (WIDTH - LEFT - RIGHT),
    py: (value) => HEIGHT - BOTTOM - place(y, value) * (HEIGHT - TOP - BOTTOM),
  };
  const { px, py } = scales;
  const drawn = series.map(withStyle);
  return html`<figure>
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${x.ticks.map((tick) => html`<line class="grid" x1="${coordinate(px(tick))}" x2="${coordinate(px(tick))}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><text x="${coordinate(px(tick))}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${x.text(tick)}</text>`)}
${y.ticks.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${coordinate(py(tick))}" y2="${coordinate(py(tick))}"/><text x="${LEFT - 6}" y="${coordinate(py(tick) + 4)}" text-anchor="end">${y.text(tick)}</text>`)}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${x.label}</text>
<text transform="rotate(-90)" x="${-(TOP + HEIGHT - BOTTOM) / 2}" y="13" text-anchor="middle">${y.label}</text>
${drawn.map((each) => seriesMarks(each, scales))}
</svg>
<ul class="legend">${drawn.map(legendEntry)}</ul>
</figure>
`;
}

function legendEntry(series: Series & { colour: string }): Html {
  return html`<li><svg class="key" viewBox="0 0 24 8"><line x1="0" x2="24" y1="4" y2="4" stroke="${series.colour}" stroke-width="3" stroke-dasharray="${dashes(series)}"/></svg> ${series.name}</li>`;
}
