import type { Figure } from '../charts/figure.js';
import { type Axis, COLOURS, MARKERS, type Series } from '../charts/series.js';
import { percentAxis } from './percent-axis.js';
import type { Cell, Metric, Row } from './row.js';

/** A figure and the name of its files. */
export interface NamedFigure {
  readonly file: string;
  readonly figure: Figure;
}

const CHANCE = 0.5;
const GREY = '#666';
const AIM = '#b07d00';
/** Room for what stands beside the first and the last N, as a factor. */
const MARGIN = 1.2;
const ATTACK_KEY = { colour: GREY, marker: 'circle' } as const;
const HOLLOW = { hollow: true, dashed: true } as const;
/** Sizes of neighbourhoods that the frontier is drawn for, where there are runs of them. */
const FRONTIER_SIZES = [100, 500, 1000];
/** The aims of DESIGN section 6: a certified bound, and how far from the non-private F1. */
const AIMED_BOUND = 0.55;
const AIMED_LOSS = 0.005;

const NEIGHBOURS: Pick<Axis, 'label' | 'log' | 'text'> = {
  label: 'N, the words that a PHI word may become (logarithmic)',
  log: true,
  text: String,
};

const KIND_NAMES: Readonly<Record<string, string>> = {
  pseudonymized: 'pseudonymised text',
  augmented: 'non-private, with pseudonymised copies',
  adversarial: 'adversarial',
  certified: 'certified',
  dann: 'DANN',
};

/** Every figure that the rows have points for. */
export function resultFigures(rows: readonly Row[]): NamedFigure[] {
  return [figure4(rows), ...figure5(rows), frontier(rows)].flatMap((each) => each ?? []);
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

/** What privacy costs: limits and attacks against F1. */
function frontier(rows: readonly Row[]): NamedFigure | null {
  const found = rows.filter(({ cells }) => cells.releasedF1 && cells.bound);
  const wanted = found.filter(({ neighbours }) => FRONTIER_SIZES.includes(neighbours ?? 0));
  const points = wanted.length > 0 ? wanted : found;
  if (points.length === 0) return null;
  const sizes = [...new Set(points.map((row) => row.neighbours ?? 0))].sort((a, b) => a - b);
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  const groups = sizes.flatMap((size, i) =>
    kinds.flatMap((kind, k) => {
      const own = points.filter((row) => row.kind === kind && row.neighbours === size);
      const look = { colour: COLOURS[i % COLOURS.length], marker: MARKERS[k % MARKERS.length] };
      const name = `${KIND_NAMES[kind] ?? kind}, N = ${size}`;
      return [
        ...curve(own, name, ({ cells }) => cells.bound, look),
        ...curve(own, '', strongestAttack, { ...look, ...HOLLOW }),
      ];
    }),
  );
  const plain = rows.find(({ kind, cells }) => kind === 'raw' && cells.ownF1)?.cells.ownF1;
  const x = percentAxis(
    'binary token F1 of a de-identifier trained on releases, per cent',
    plain ? [...groups, { name: '', points: [[0, plain.value]] }] : groups,
    0,
  );
  const y = percentAxis('right answers on balanced pairs, per cent', [
    ...groups,
    { name: '', points: [[0, CHANCE]] },
  ]);
  const aim = plain && plain.value - AIMED_LOSS;
  const references: Series[] = [
    { name: 'the strongest attack that was tried', points: [], ...HOLLOW, ...ATTACK_KEY },
    flatLine('chance', CHANCE, x),
    { ...flatLine('aims: a limit of 55', AIMED_BOUND, x), colour: AIM },
    ...(aim ? [{ ...upright('non-private F1 less 0.5', aim, y), colour: AIM }] : []),
  ];
  return {
    file: 'frontier',
    figure: {
      title: 'What privacy costs: telling pairs apart, against finding PHI',
      x,
      y,
      series: [...groups, ...references],
      caption:
        'Filled: the certified limit on every possible attack, a mean over pairs of held-out notes. ' +
        'Hollow: of the attacks on pairs that were tried (the adversary after learning on, likelihood ' +
        'with one or both sentences known) the one whose interval begins highest. Down and to the ' +
        'right is better. Bars: ' +
        `95 % intervals, ${intervalsOver(points)}.`,
    },
  };
}

/** Of the attacks on pairs, the one that surely is right most often: few trials may flatter one. */
function strongestAttack({ cells }: Pick<Row, 'cells'>): Cell | undefined {
  const found = [cells.adversaryUnseen, cells.twins, cells.pair].flatMap((cell) => cell ?? []);
  const sure = ({ value, interval }: Cell) => interval?.[0] ?? value;
  return found.sort((a, b) => sure(b) - sure(a))[0];
}

/** Points of some rows from left to right in F1. */
function curve(
  rows: readonly Row[],
  name: string,
  cell: (row: Row) => Cell | undefined,
  look: Pick<Series, 'colour' | 'marker' | 'hollow' | 'dashed'>,
): Series[] {
  const found = rows.flatMap((row) => {
    const own = cell(row);
    return own ? [{ x: row.cells.releasedF1?.value ?? 0, ...own }] : [];
  });
  if (found.length === 0) return [];
  found.sort((a, b) => a.x - b.x);
  return [{ name, ...pointsOf(found), ...look }];
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

function pointsOf(found: readonly (Cell & { readonly x: number })[]) {
  return {
    points: found.map(({ x, value }) => [x, value] as const),
    intervals: found.map(({ value, interval }) => interval ?? ([value, value] as const)),
  };
}

function variantsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(nameOf))];
}

function nameOf({ kind, variant }: Row): string {
  const name = kind === 'raw' ? 'non-private' : (KIND_NAMES[kind] ?? kind);
  return variant === '' ? name : `${name} (${variant})`;
}

/** The score that counts: on releases, or on the text that a kind without releases shares. */
function scoreOf({ hasRepresentation, cells }: Row): Cell | undefined {
  return hasRepresentation ? cells.releasedF1 : cells.ownF1;
}

function flatLine(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((x) => [x, value] as const);
  return { name, points, dashed: true, colour: GREY };
}

function upright(name: string, value: number, { from, to }: Axis): Series {
  const points = [from, to].map((y) => [value, y] as const);
  return { name, points, dashed: true };
}

function neighbourAxis(rows: readonly Row[]): Axis {
  const sizes = [...new Set(rows.map(({ neighbours }) => neighbours ?? 1))].sort((a, b) => a - b);
  const ticks = sizes.length > 1 ? sizes : [...new Set([1, ...sizes, 1000])];
  return { ...NEIGHBOURS, from: ticks[0] / MARGIN, to: ticks[ticks.length - 1] * MARGIN, ticks };
}

function intervalsOver(rows: readonly Row[]): string {
  const most = Math.max(...rows.map(({ seeds }) => seeds.length));
  return most === 1
    ? 'over notes (one seed)'
    : 'over seeds where there are several, else over notes';
}
