import type { VNode } from 'preact';
import { LETTER, LINE, TEXT_SIZE } from './figure-text.js';
import { Point } from './markers.js';
import { FIGURE_WIDTH, LEFT } from './plot.js';
import { coordinate, type Drawn, dashes } from './series.js';

const KEY_WIDTH = 30;
const ENTRY_GAP = 20;

interface LegendEntry {
  readonly entry: Drawn;
  readonly left: number;
}

/** Entries side by side for as long as they fit; series of one name have one, those of none none. */
export function legendRows(series: readonly Drawn[]): LegendEntry[][] {
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

interface FigureLegendProps {
  readonly rows: readonly (readonly LegendEntry[])[];
  readonly top: number;
}

/** What each look of a series stands for. */
export function FigureLegend({ rows, top }: FigureLegendProps): VNode {
  return (
    <>
      {rows.map((row, at) =>
        row.map(({ entry, left }) => legendEntry(entry, left, top + at * LINE)),
      )}
    </>
  );
}

function legendEntry(series: Drawn, left: number, y: number): VNode {
  const { name: text, marker, hollow, colour } = series;
  const middle = y - 4;
  return (
    <>
      <line
        x1={left}
        x2={left + 24}
        y1={middle}
        y2={middle}
        stroke={colour}
        stroke-width="2"
        stroke-dasharray={dashes(series)}
      />
      {marker && <Point marker={marker} x={left + 12} y={middle} colour={colour} hollow={hollow} />}
      <text x={coordinate(left + KEY_WIDTH)} y={y}>
        {text}
      </text>
    </>
  );
}
