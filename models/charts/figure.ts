/** A figure that stands alone: an SVG file with title, axes, legend and caption in it. */
import { type Html, html } from '../evaluation/html.js';
import { labelMarks } from './labels.js';
import { markerAt } from './markers.js';
import {
  type Axis,
  dashes,
  fixed,
  place,
  type Scales,
  type Series,
  seriesMarks,
  styled,
} from './series.js';

export interface Figure {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** What a reader needs who has nothing but the figure. */
  readonly caption: string;
  /** Moves series a little to either side, those of one look together, for points at one place. */
  readonly dodge?: boolean;
  /** Where parts of the x axis begin, with their names. */
  readonly parts?: readonly { readonly from: number; readonly name: string }[];
}

export const FIGURE_FONT = 'Open Sans';
export const FIGURE_WIDTH = 760;

const FALLBACK_FONTS = 'DejaVu Sans, Liberation Sans, Arial, Helvetica, sans-serif';
const LEFT = 66;
const RIGHT = 24;
const PLOT_HEIGHT = 330;
const LINE = 18;
const TITLE_SIZE = 16;
const TEXT_SIZE = 12;
/** The mean width of a letter in units of the font's size, a little more than it is. */
const LETTER = 0.52;
const KEY_WIDTH = 30;
/** From series to series; together they go no farther. */
const DODGE = 8;
const MOST_DODGE = 56;
const ENTRY_GAP = 20;
const TEXT = '#222';
const FAINT = '#e2e2e2';

/** The file's text. */
export function figureSvg(figure: Figure): string {
  const { title, x, y, caption, parts = [] } = figure;
  const series = figure.series.map(styled);
  const titleLines = wrapped(title, TITLE_SIZE);
  const captionLines = wrapped(caption, TEXT_SIZE);
  const rows = legendRows(series);
  const top = 14 + titleLines.length * (LINE + 4) + (parts.length > 0 ? LINE : 6);
  const bottom = top + PLOT_HEIGHT;
  const legendTop = bottom + 58;
  const captionTop = legendTop + rows.length * LINE + 10;
  const height = captionTop + captionLines.length * LINE;
  const scales: Scales = {
    px: (value) => LEFT + place(x, value) * (FIGURE_WIDTH - LEFT - RIGHT),
    py: (value) => bottom - place(y, value) * PLOT_HEIGHT,
  };
  const { px, py } = scales;
  const scalesOf = figure.dodge ? dodged(series, scales) : () => scales;
  const middle = (LEFT + FIGURE_WIDTH - RIGHT) / 2;
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FIGURE_WIDTH} ${height}" width="${FIGURE_WIDTH}" height="${height}" font-family="${FIGURE_FONT}, ${FALLBACK_FONTS}" font-size="${TEXT_SIZE}" fill="${TEXT}" role="img">
<title>${title}</title>
<desc>${caption}</desc>
<rect width="${FIGURE_WIDTH}" height="${height}" fill="#fff"/>
${lines(titleLines, 30, LINE + 4, TITLE_SIZE)}
${x.ticks.map((tick) => xTick(fixed(px(tick)), top, bottom, x.text(tick)))}
${y.ticks.map((tick) => yTick(fixed(py(tick)), y.text(tick), py(tick)))}
${parts.map(({ from, name }) => part(px(from), top, bottom, name))}
<path d="M${LEFT} ${top} V${bottom} H${FIGURE_WIDTH - RIGHT}" fill="none" stroke="${TEXT}"/>
<text x="${middle}" y="${bottom + 38}" text-anchor="middle">${x.label}</text>
<text transform="translate(16 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${y.label}</text>
${hollowFirst(series).map((each) => seriesMarks(each, scalesOf(each)))}
${labelMarks(series, scalesOf, { left: LEFT, right: FIGURE_WIDTH, top, bottom })}
${rows.flatMap((row, at) => row.map(({ entry, left }) => legendEntry(entry, left, legendTop + at * LINE)))}
${lines(captionLines, captionTop, LINE, TEXT_SIZE)}
</svg>`}\n`;
}

type Drawn = Series & { colour: string };

/** Series without markers are lines of reference and stay where they are, as do keys of the legend. */
function dodged(series: readonly Drawn[], scales: Scales): (series: Drawn) => Scales {
  const lookOf = ({ colour, marker }: Drawn) => `${colour} ${marker}`;
  const marked = series.filter(({ marker, points }) => marker && points.length > 0);
  const looks = [...new Set(marked.map(lookOf))];
  const step = Math.min(DODGE, MOST_DODGE / looks.length);
  return (each) => {
    const place = looks.indexOf(lookOf(each));
    if (place < 0) return scales;
    const shift = (place - (looks.length - 1) / 2) * step;
    return { ...scales, px: (value) => scales.px(value) + shift };
  };
}

/** Hollow markers are the larger ones: filled ones are drawn over them. */
function hollowFirst(series: readonly Drawn[]): Drawn[] {
  return [...series.filter(({ hollow }) => hollow), ...series.filter(({ hollow }) => !hollow)];
}

function xTick(x: string, top: number, bottom: number, text: string): Html {
  return html`<line stroke="${FAINT}" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/><text x="${x}" y="${bottom + 18}" text-anchor="middle">${text}</text>`;
}

function yTick(y: string, text: string, at: number): Html {
  return html`<line stroke="${FAINT}" x1="${LEFT}" x2="${FIGURE_WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${fixed(at + 4)}" text-anchor="end">${text}</text>`;
}

function part(x: number, top: number, bottom: number, name: string): Html {
  return html`<line stroke="#888" x1="${fixed(x)}" x2="${fixed(x)}" y1="${top}" y2="${bottom}"/><text x="${fixed(x + 3)}" y="${top - 5}" font-size="11">${name}</text>`;
}

function lines(texts: readonly string[], top: number, step: number, size: number): Html[] {
  return texts.map(
    (text, at) =>
      html`<text x="${LEFT - 50}" y="${top + at * step}" font-size="${size}">${text}</text>`,
  );
}

interface LegendEntry {
  readonly entry: Drawn;
  readonly left: number;
}

/** Entries side by side for as long as they fit; series of one name have one, those of none none. */
function legendRows(series: readonly Drawn[]): LegendEntry[][] {
  const rows: LegendEntry[][] = [];
  let left = LEFT;
  series.forEach((entry, index) => {
    const first = series.findIndex(({ name }) => name === entry.name);
    if (entry.name === '' || first < index) return;
    const width = KEY_WIDTH + entry.name.length * TEXT_SIZE * LETTER + ENTRY_GAP;
    if (rows.length === 0 || left + width > FIGURE_WIDTH) {
      rows.push([]);
      left = LEFT;
    }
    rows[rows.length - 1].push({ entry, left });
    left += width;
  });
  return rows;
}

function legendEntry(series: Drawn, left: number, y: number): Html {
  const { name, marker, hollow, colour } = series;
  const middle = y - 4;
  const key = html`<line x1="${left}" x2="${left + 24}" y1="${middle}" y2="${middle}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes(series)}"/>`;
  const mark = marker ? [markerAt(marker, left + 12, middle, colour, hollow)] : [];
  return html`${key}${mark}<text x="${fixed(left + KEY_WIDTH)}" y="${y}">${name}</text>`;
}

/** Breaks a text into lines that fit the figure, by the mean width of a letter. */
function wrapped(text: string, size: number): string[] {
  const most = Math.floor((FIGURE_WIDTH - 2 * (LEFT - 50)) / (size * LETTER));
  const broken: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      broken.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...broken, line];
}
