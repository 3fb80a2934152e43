import type { Figure } from '../models/charts/figure.js';
import {
  AIM_COLOUR,
  type Axis,
  COLOURS,
  type Series,
  shapedLook,
} from '../models/charts/series.js';
import type { Cell } from './cell.js';
import {
  CHANCE,
  flatLine,
  intervalsOver,
  type NamedFigure,
  pointsOf,
  REFERENCE_LOOK,
  scoreOf,
  upright,
} from './figure-parts.js';
import { percentAxis } from './percent-axis.js';
import type { Row } from './row.js';
import { kindName, meaningsOf, settingsOf, withSettings } from './row-names.js';

const HOLLOW = { hollow: true, dashed: true } as const;
/** Sizes of neighbourhoods that the frontier is drawn for, where there are runs of them. */
const FRONTIER_SIZES = [100, 500, 1000];
/** The aims of docs/design.md: a certified bound, and how far from the non-private F1. */
const AIMED_BOUND = 0.55;
const AIMED_LOSS = 0.005;
/** How far from the aims points are drawn once more, larger, and how many make that worth while. */
const NEAR_AIMED_BOUND = 0.62;
const FEW_WORDS = 0.06;
const NEAR_AIMED_LOSS = 0.0005;
const CROWD = 4;

/** What privacy costs: limits and attacks on pairs against F1. */
export function frontier(rows: readonly Row[]): NamedFigure | null {
  const points = frontierRows(rows).filter(({ cells }) => cells.bound);
  if (points.length === 0) return null;
  const groups = frontierLooks(points).flatMap(({ name, own, look, label }) => [
    ...curve(own, name, ({ cells }) => cells.bound, look, label),
    ...curve(own, '', strongestAttack, { ...look, ...HOLLOW }),
  ]);
  const x = f1Axis(rows, groups);
  const y = percentAxis('right answers on balanced pairs, per cent', [
    ...groups,
    { name: '', points: [[0, CHANCE]] },
  ]);
  return {
    file: 'frontier',
    figure: {
      title: 'What privacy costs: telling pairs apart, against finding PHI',
      x,
      y,
      ...detailOf(rows, groups, NEAR_AIMED_BOUND, [x.label, y.label]),
      series: [
        ...groups,
        { name: 'the strongest attack that was tried', points: [], ...REFERENCE_LOOK, ...HOLLOW },
        flatLine('chance', CHANCE, x),
        { ...flatLine('aims: a limit of 55', AIMED_BOUND, x), colour: AIM_COLOUR },
        ...aimedF1(rows, y),
      ],
      caption:
        'Filled: the certified limit on every possible attack, a mean over pairs of held-out notes. ' +
        'Hollow: of the attacks on pairs that were tried (the adversary after learning on, likelihood ' +
        `with one or both sentences known) the one whose interval begins highest. ${meaningsOf(points)}` +
        `Pseudonymised text: the best attack there is, which is its own limit. Down and to the right is ` +
        `better. Bars: 95 % intervals, ${intervalsOver(points)}.`,
    },
  };
}

/** What privacy costs where it matters most: the word itself. */
export function wordFrontier(rows: readonly Row[]): NamedFigure | null {
  const points = frontierRows(rows).filter(({ cells }) => cells.word);
  if (points.length === 0) return null;
  const groups = frontierLooks(points).flatMap(({ name, own, look, label }) =>
    curve(own, name, ({ cells }) => cells.word, look, label),
  );
  const x = f1Axis(rows, groups);
  const y = percentAxis('words named, per cent', groups);
  return {
    file: 'frontier-word',
    figure: {
      title: 'What privacy costs: naming the word, against finding PHI',
      x,
      y,
      ...detailOf(rows, groups, FEW_WORDS, [x.label, y.label]),
      series: [...groups, ...aimedF1(rows, y)],
      caption:
        'How often the likelihood attack, which knows the model and the other words of the sentence, ' +
        `names a PHI word among its N neighbours (by guessing: 1 in N). ${meaningsOf(points)}` +
        `Down and to the right is better. Bars: 95 % intervals, ${intervalsOver(points)}.`,
    },
  };
}

/** Rows with a score, of the sizes that the frontier is drawn for where there are any. */
function frontierRows(rows: readonly Row[]): Row[] {
  const found = rows.filter(scoreOf);
  const wanted = found.filter(({ neighbours }) => FRONTIER_SIZES.includes(neighbours ?? 0));
  return wanted.length > 0 ? wanted : found;
}

/**
 * A curve for each way of training and N, over what is swept: a colour for the way, a marker for N.
 * Where the colours go round, they come with other markers.
 */
function frontierLooks(rows: readonly Row[]) {
  const sizes = [...new Set(rows.map((row) => row.neighbours ?? 0))].sort((a, b) => a - b);
  const ways = [...new Set(rows.map(wayOf))];
  return ways.flatMap((way, i) =>
    sizes.flatMap((size, k) => {
      const own = rows.filter((row) => wayOf(row) === way && row.neighbours === size);
      if (own.length === 0) return [];
      const label = own.length > 1 ? labelOf : undefined;
      const look = shapedLook(i, k + sizes.length * Math.floor(i / COLOURS.length));
      return [{ name: `${way}, N = ${size}`, own, look, label }];
    }),
  );
}

/** Settings that a curve runs over. */
const SWEPT: ReadonlySet<string> = new Set(['lambda', 'outputNoiseFactor']);

function wayOf(row: Row): string {
  const fixed = settingsOf(row).filter(({ key }) => !SWEPT.has(key));
  return withSettings(kindName(row.kind), fixed);
}

function labelOf(row: Row): string {
  const swept = settingsOf(row).filter(({ key }) => SWEPT.has(key));
  return swept.map(({ text }) => text).join(', ');
}

function f1Axis(rows: readonly Row[], groups: readonly Series[]): Axis {
  const plain = nonPrivateF1(rows);
  return percentAxis(
    'binary token F1 of a de-identifier trained on what is shared, per cent',
    plain === undefined ? groups : [...groups, { name: '', points: [[0, plain]] }],
    0,
  );
}

/** What lies near the aims is drawn larger, where it is much. */
function detailOf(
  rows: readonly Row[],
  groups: readonly Series[],
  most: number,
  [xLabel, yLabel]: readonly [string, string],
): Pick<Figure, 'detail'> {
  const plain = nonPrivateF1(rows);
  if (plain === undefined) return {};
  const isNear = ([f1, value]: readonly [number, number]) =>
    f1 >= plain - AIMED_LOSS - NEAR_AIMED_LOSS && value <= most;
  const near = groups.map(({ points }) => ({ name: '', points: points.filter(isNear) }));
  if (near.flatMap(({ points }) => points).length < CROWD) return {};
  return { detail: { x: percentAxis(xLabel, near, 0), y: percentAxis(yLabel, near) } };
}

function aimedF1(rows: readonly Row[], y: Axis): Series[] {
  const plain = nonPrivateF1(rows);
  if (plain === undefined) return [];
  return [{ ...upright('non-private F1 less 0.5', plain - AIMED_LOSS, y), colour: AIM_COLOUR }];
}

function nonPrivateF1(rows: readonly Row[]): number | undefined {
  return rows.find(({ kind, cells }) => kind === 'raw' && cells.ownF1)?.cells.ownF1?.value;
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
  label: (row: Row) => string = () => '',
): Series[] {
  const found = rows.flatMap((row) => {
    const own = cell(row);
    return own ? [{ x: scoreOf(row)?.value ?? 0, label: label(row), ...own }] : [];
  });
  if (found.length === 0) return [];
  found.sort((a, b) => a.x - b.x);
  return [{ name, ...pointsOf(found), labels: found.map((each) => each.label), ...look }];
}
