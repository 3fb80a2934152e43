import { type Axis, MARKERS, type Series } from '../charts/series.js';
import type { Cell } from './cell.js';
import {
  CHANCE,
  flatLine,
  intervalsOver,
  KIND_NAMES,
  type NamedFigure,
  pointsOf,
  scoreOf,
} from './figure-parts.js';
import { frontier, wordFrontier } from './frontier.js';
import { percentAxis } from './percent-axis.js';
import type { Metric, Row } from './row.js';

/** Room for what stands beside the first and the last N, as a factor. */
const MARGIN = 1.2;

const NEIGHBOURS: Pick<Axis, 'label' | 'log' | 'text'> = {
  label: 'N, the words that a PHI word may become (logarithmic)',
  log: true,
  text: String,
};

/** Every figure that the rows have points for. */
export function resultFigures(rows: readonly Row[]): NamedFigure[] {
  return [figure4(rows), ...figure5(rows), frontier(rows), wordFrontier(rows)].flatMap(
    (each) => each ?? [],
  );
}

/** Friedrich et al. 2019, Figure 4. */
function figure4(rows: readonly Row[]): NamedFigure | null {
  const moved = rows.filter((row) => row.neighbours !== null && scoreOf(row));
  if (moved.length === 0) return null;
  const x = neighbourAxis(moved);
  const curves = linesOf(moved, scoreOf);
  const plain = rows.filter(({ kind, cells }) => kind === 'raw' && cells.ownF1).slice(0, 3);
  const references = plain.map((row) => flatLine(nameOf(row), row.cells.ownF1?.value ?? 0, x));
  return {
    file: 'figure-4',
    figure: {
      title: 'Figure 4. How well PHI is found, by how far words are moved',
      x,
      y: percentAxis('binary token F1, per cent', [...curves, ...references]),
      series: [...curves, ...references],
      dodge: true,
      caption:
        'Binary token F1 on held-out notes of a de-identifier trained on pseudonymised text, or from ' +
        'scratch on one release of every training sentence. The dashed line has no privacy. Bars: ' +
        `95 % intervals, ${intervalsOver(moved)}. After Friedrich et al. 2019, Figure 4 (there: i2b2 2014).`,
    },
  };
}

/** Friedrich et al. 2019, Figure 5, one for each way of training a representation. */
function figure5(rows: readonly Row[]): NamedFigure[] {
  return ['adversarial', 'dann', 'certified'].flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind && row.cells.adversaryUnseen);
    if (own.length === 0) return [];
    const x = neighbourAxis(own);
    const several = variantsOf(own).length > 1;
    const curves = several
      ? linesOf(own, ({ cells }) => cells.adversaryUnseen)
      : [
          ...renamed(own, 'adversaryBefore', 'at the freeze', 0),
          ...renamed(own, 'adversaryUnseen', 'after learning on: unseen notes', 1),
          ...renamed(own, 'adversaryLearned', 'after learning on: its own notes', 2),
        ];
    const series = [...curves, flatLine('chance', CHANCE, x)];
    const name = KIND_NAMES[kind];
    return [
      {
        file: `figure-5-${kind}`,
        figure: {
          title: `Figure 5. The adversary against frozen representations: ${name}`,
          x,
          y: percentAxis('right answers on balanced pairs, per cent', series),
          series,
          dodge: true,
          caption:
            'The adversary of training must tell whether two releases come from one sentence or one of ' +
            'them has a PHI word moved. It learns on against the frozen representation, for up to 50 ' +
            `epochs${several ? ', and is measured on notes that it has not seen' : ''}. Bars: 95 % ` +
            `intervals, ${intervalsOver(own)}. It shows what one adversary can do, and is no limit. ` +
            'After Friedrich et al. 2019, Figure 5.',
        },
      },
    ];
  });
}

/** A line over N for each kind and variant. */
function linesOf(rows: readonly Row[], cell: (row: Row) => Cell | undefined): Series[] {
  return variantsOf(rows).map((name, i) => {
    const own = rows.filter((row) => nameOf(row) === name);
    return { name, ...overN(own, cell), marker: MARKERS[i % MARKERS.length] };
  });
}

function renamed(rows: readonly Row[], metric: Metric, name: string, i: number): Series[] {
  const own = rows.filter(({ cells }) => cells[metric]);
  if (own.length === 0) return [];
  return [{ name, ...overN(own, ({ cells }) => cells[metric]), marker: MARKERS[i] }];
}

function overN(rows: readonly Row[], cell: (row: Row) => Cell | undefined) {
  const found = rows.flatMap((row) => {
    const own = cell(row);
    return own ? [{ x: row.neighbours ?? 1, ...own }] : [];
  });
  return pointsOf(found.sort((a, b) => a.x - b.x));
}

function variantsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(nameOf))];
}

function nameOf({ kind, variant }: Row): string {
  const name = kind === 'raw' ? 'non-private' : (KIND_NAMES[kind] ?? kind);
  return variant === '' ? name : `${name} (${variant})`;
}

function neighbourAxis(rows: readonly Row[]): Axis {
  const sizes = [...new Set(rows.map(({ neighbours }) => neighbours ?? 1))].sort((a, b) => a - b);
  const ticks = sizes.length > 1 ? sizes : [...new Set([1, ...sizes, 1000])];
  return { ...NEIGHBOURS, from: ticks[0] / MARGIN, to: ticks[ticks.length - 1] * MARGIN, ticks };
}
