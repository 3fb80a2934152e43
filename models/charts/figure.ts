/** A figure that stands alone: an SVG file with title, axes, legend and caption in it. */
import { type Html, html } from './html.js';
import { labelMarks } from './labels.js';
import { markerAt } from './markers.js';
import {
  axes,
  besideEachOther,
  type Drawn,
  FIGURE_WIDTH,
  isWithin,
  LEFT,
  PLOT_WIDTH,
  type Plot,
  RIGHT,
  scalesOf,
  TEXT,
} from './plot.js';
import {
  type Axis,
  coordinate,
  dashes,
  placeOnLine,
  type Series,
  seriesMarks,
  withStyle,
} from './series.js';

export interface Figure {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** What a reader needs who has nothing but the figure. */
  readonly caption: string;
  /** A part of the figure drawn again, larger, where points lie close. */
  readonly detail?: { readonly x: Axis; readonly y: Axis };
  /** Where parts of the x axis begin, with their names. */
  readonly parts?: readonly { readonly from: number; readonly name: string }[];
}

export const FIGURE_FONT = 'Open Sans';

const FALLBACK_FONTS = 'DejaVu Sans, Liberation Sans, Arial, Helvetica, sans-serif';
const PLOT_HEIGHT = 330;
const LINE = 18;
const TITLE_SIZE = 16;
const TEXT_SIZE = 12;
/** The mean width of a letter in units of the font's size, a little more than it is. */
const LETTER = 0.52;
const KEY_WIDTH = 30;
const DETAIL = 'The framed part, larger';
const DETAIL_HEIGHT = 300;
/** Between the plot and its detail: the ticks and the label of an axis, and the detail's heading. */
const DETAIL_GAP = 84;
const ENTRY_GAP = 20;
/** In the detail there is room for a label beside each point. */
const DETAIL_SHARED = 0;

/** The file's text. */
export function figureSvg(figure: Figure): string {
  const { title, x, y, caption, parts = [], detail } = figure;
  const series = figure.series.map(withStyle);
  const titleLines = wrap(title, TITLE_SIZE);
  const captionLines = wrap(caption, TEXT_SIZE);
  const rows = legendRows(series);
  const top = 14 + titleLines.length * (LINE + 4) + (parts.length > 0 ? LINE : 6);
  const plot: Plot = { x, y, top, bottom: top + PLOT_HEIGHT };
  const detailTop = plot.bottom + DETAIL_GAP;
  const below: Plot | undefined = detail && {
    ...detail,
    top: detailTop,
    bottom: detailTop + DETAIL_HEIGHT,
  };
  const legendTop = (below ?? plot).bottom + 58;
  const captionTop = legendTop + rows.length * LINE + 10;
  const height = captionTop + captionLines.length * LINE;
  const { px } = scalesOf(plot);
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${FIGURE_WIDTH} ${height}" width="${FIGURE_WIDTH}" height="${height}" font-family="${FIGURE_FONT}, ${FALLBACK_FONTS}" font-size="${TEXT_SIZE}" fill="${TEXT}" role="img">
<title>${title}</title>
<desc>${caption}</desc>
<rect width="${FIGURE_WIDTH}" height="${height}" fill="#fff"/>
${lines(titleLines, 30, LINE + 4, TITLE_SIZE)}
${axes(plot)}
${parts.map(({ from, name }) => part(px(from), plot.top, plot.bottom, name))}
${marks(series, plot, detail)}
${below && detail ? detailMarks(series, plot, below) : ''}
${rows.flatMap((row, at) => row.map(({ entry, left }) => legendEntry(entry, left, legendTop + at * LINE)))}
${lines(captionLines, captionTop, LINE, TEXT_SIZE)}
</svg>`}\n`;
}

/** The series of a plot; a label in the detail is not written twice. */
function marks(series: readonly Drawn[], plot: Plot, detail: Figure['detail']): Html {
  const { top, bottom } = plot;
  const placed = plot.x.columns ? besideEachOther(series, plot) : () => scalesOf(plot);
  const labelled = detail ? series.map((each) => labelledIn(each, detail, false)) : series;
  return html`${hollowFirst(series).map((each) => seriesMarks(each, placed(each)))}
${labelMarks(labelled, (each) => placed(each), { left: LEFT, right: FIGURE_WIDTH, top, bottom })}`;
}

/** The detail, cut off at its edges, and a frame around its place in the plot above. */
function detailMarks(series: readonly Drawn[], above: Plot, plot: Plot): Html {
  const { x, y, top, bottom } = plot;
  const { px, py } = scalesOf(above);
  const scales = scalesOf(plot, placeOnLine);
  const inside = series.map((each) => labelledIn(each, plot, true));
  const [width, height] = [PLOT_WIDTH + RIGHT, bottom - top];
  const frame = { left: px(x.from), right: px(x.to), top: py(y.to), bottom: py(y.from) };
  return html`<rect x="${coordinate(frame.left)}" y="${coordinate(frame.top)}" width="${coordinate(frame.right - frame.left)}" height="${coordinate(frame.bottom - frame.top)}" fill="none" stroke="${TEXT}" stroke-width="0.8"/>
<text x="${LEFT}" y="${top - 10}">${DETAIL}</text>
${axes(plot)}
<svg x="${LEFT}" y="${top}" width="${width}" height="${height}" viewBox="${LEFT} ${top} ${width} ${height}">
<title>${DETAIL}</title>
${hollowFirst(series).map((each) => seriesMarks(each, scales))}
${labelMarks(inside, () => scales, { left: LEFT, right: FIGURE_WIDTH, top, bottom }, DETAIL_SHARED)}
</svg>`;
}

/** With the labels of the points alone that lie in a part of the figure, or outside it. */
function labelledIn(series: Drawn, part: Pick<Plot, 'x' | 'y'>, inside: boolean): Drawn {
  const labels = series.labels?.map((label, i) =>
    isWithin(part, series.points[i]) === inside ? label : '',
  );
  return labels ? { ...series, labels } : series;
}

/** Hollow markers are the larger ones: filled ones are drawn over them. */
function hollowFirst(series: readonly Drawn[]): Drawn[] {
  return [...series.filter(({ hollow }) => hollow), ...series.filter(({ hollow }) => !hollow)];
}

function part(x: number, top: number, bottom: number, name: string): Html {
  return html`<line stroke="#888" x1="${coordinate(x)}" x2="${coordinate(x)}" y1="${top}" y2="${bottom}"/><text x="${coordinate(x + 3)}" y="${top - 5}" font-size="11">${name}</text>`;
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
  return html`${key}${mark}<text x="${coordinate(left + KEY_WIDTH)}" y="${y}">${name}</text>`;
}

/** Breaks a text into lines that fit the figure, by the mean width of a letter. */
function wrap(text: string, size: number): string[] {
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
