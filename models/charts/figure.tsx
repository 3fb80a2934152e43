/** A figure that stands alone: an SVG file with title, axes, legend and caption in it. */
import type { VNode } from 'preact';
import { markupOf } from '../../platform/pages/markup.js';
import { FigureDetail, labelledIn } from './figure-detail.js';
import { FigureLegend, legendRows } from './figure-legend.js';
import { FigureText, LINE, TEXT_SIZE, TITLE_SIZE, wrap } from './figure-text.js';
import { labelMarks } from './labels.js';
import {
  Axes,
  besideEachOther,
  FIGURE_WIDTH,
  hollowFirst,
  LEFT,
  type Plot,
  scalesOf,
  TEXT,
} from './plot.js';
import { type Axis, coordinate, type Drawn, type Series, withStyle } from './series.js';
import { SeriesMarks } from './series-marks.js';

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
const DETAIL_HEIGHT = 300;
/** Between the plot and its detail: the ticks and the label of an axis, and the detail's heading. */
const DETAIL_GAP = 84;

/** The file's text. */
export function figureSvg(figure: Figure): string {
  return `${markupOf(<FigureDrawing figure={figure} />)}\n`;
}

/** The same in a page, whose style gives it the colours of a dark ground where there is one. */
export function FigureDrawing({ figure }: { readonly figure: Figure }): VNode {
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
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${FIGURE_WIDTH} ${height}`}
      width={FIGURE_WIDTH}
      height={height}
      font-family={`${FIGURE_FONT}, ${FALLBACK_FONTS}`}
      font-size={TEXT_SIZE}
      fill={TEXT}
      role="img"
    >
      <title>{title}</title>
      <desc>{caption}</desc>
      <rect width={FIGURE_WIDTH} height={height} fill="#fff" />
      <FigureText lines={titleLines} top={30} step={LINE + 4} size={TITLE_SIZE} />
      <Axes plot={plot} />
      {parts.map((each) => part(each, plot))}
      {marks(series, plot, detail)}
      {below && <FigureDetail series={series} above={plot} plot={below} />}
      <FigureLegend rows={rows} top={legendTop} />
      <FigureText lines={captionLines} top={captionTop} step={LINE} size={TEXT_SIZE} />
    </svg>
  );
}

/** The series of a plot; a label in the detail is not written twice. */
function marks(series: readonly Drawn[], plot: Plot, detail: Figure['detail']): VNode {
  const { top, bottom } = plot;
  const placed = plot.x.columns ? besideEachOther(series, plot) : () => scalesOf(plot);
  const labelled = detail ? series.map((each) => labelledIn(each, detail, false)) : series;
  return (
    <>
      {hollowFirst(series).map((each) => (
        <SeriesMarks series={each} scales={placed(each)} />
      ))}
      {labelMarks(labelled, placed, { left: LEFT, right: FIGURE_WIDTH, top, bottom })}
    </>
  );
}

type Part = NonNullable<Figure['parts']>[number];

function part({ from, name: text }: Part, plot: Plot): VNode {
  const x = scalesOf(plot).px(from);
  const at = coordinate(x);
  return (
    <>
      <line stroke="#888" x1={at} x2={at} y1={plot.top} y2={plot.bottom} />
      <text x={coordinate(x + 3)} y={plot.top - 5} font-size="11">
        {text}
      </text>
    </>
  );
}
