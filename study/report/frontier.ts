import type { Figure } from '../../models/charts/figure.js';
import {
  type FrontierPoint,
  frontierSeries,
  STRONGEST_ATTACK,
} from '../../models/charts/frontier.js';
import { percentAxis } from '../../models/charts/percent-axis.js';
import { CHANCE, flatLine, upright } from '../../models/charts/reference-lines.js';
import { AIM_COLOUR, type Axis, type Series } from '../../models/charts/series.js';
import type { Cell } from './cell.js';
import { intervalsOver, type NamedFigure, scoreOf } from './figure-parts.js';
import type { Row } from './row.js';
import { kindName, meaningsOf, settingsOf, withSettings } from './row-names.js';

/** Sizes of neighbourhoods that the frontier is drawn for, where there are runs of them. */
const FRONTIER_SIZES = [100, 500, 1000];
/** The aims of docs/design.md, Training: a certified bound, and how far from the non-private F1. */
const AIMED_BOUND = 0.55;
const AIMED_LOSS = 0.005;
/** How far from the aims points are drawn once more, larger, and how many make that worth while. */
const NEAR_AIMED_BOUND = 0.62;
const FEW_WORDS = 0.06;
const NEAR_AIMED_LOSS = 0.0005;
const CROWD = 4;

/** What privacy costs: limits and attacks on pairs against F1. */
export function frontier(rows: readonly Row[]): NamedFigure | null {
  const limited = frontierRows(rows).filter(({ cells }) => cells.bound);
  if (limited.length === 0) return null;
  const groups = frontierSeries([
    ...pointsOf(limited, 'bound', ({ cells }) => cells.bound),
    ...pointsOf(limited, 'attack', ({ cells }) => strongestAttack(cells)),
  ]);
  const x = f1Axis(rows, groups);
  const y = percentAxis('right answers on balanced pairs, per cent', [
    ...groups,
    { name: '', points: [CHANCE, AIMED_BOUND].map((value) => [0, value] as const) },
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
        STRONGEST_ATTACK,
        flatLine('chance', CHANCE, x),
        { ...flatLine('aims: a limit of 55', AIMED_BOUND, x), colour: AIM_COLOUR },
        ...aimedF1(rows, y),
      ],
      caption:
        'Filled: the certified limit on every possible attack, a mean over pairs of held-out notes. ' +
        'Hollow: of the attacks on pairs that were tried (the adversary after learning on, likelihood ' +
        `with one or both sentences known) the one whose interval begins highest. ${meaningsOf(limited)}` +
        `Pseudonymised text: the best attack there is, which is its own limit. Down and to the right is ` +
        `better. Bars: 95 % intervals, ${intervalsOver(limited)}.`,
    },
  };
}

/** What privacy costs where it matters most: the word itself. */
export function wordFrontier(rows: readonly Row[]): NamedFigure | null {
  const attacked = frontierRows(rows).filter(({ cells }) => cells.word);
  if (attacked.length === 0) return null;
  const groups = frontierSeries(pointsOf(attacked, 'attack', ({ cells }) => cells.word));
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
        `names a PHI word among its N neighbours (by guessing: 1 in N). ${meaningsOf(attacked)}` +
        `Down and to the right is better. Bars: 95 % intervals, ${intervalsOver(attacked)}.`,
    },
  };
}

/** Rows with a score, of the sizes that the frontier is drawn for where there are any. */
function frontierRows(rows: readonly Row[]): Row[] {
  const found = rows.filter(scoreOf);
  const wanted = found.filter(({ neighbours }) => FRONTIER_SIZES.includes(neighbours ?? 0));
  return wanted.length > 0 ? wanted : found;
}

/** A point of each row; a label where a curve has several. */
function pointsOf(
  rows: readonly Row[],
  kind: FrontierPoint['kind'],
  cell: (row: Row) => Cell | undefined,
): FrontierPoint[] {
  return rows.flatMap((row) => {
    const own = cell(row);
    if (!own) return [];
    const alike = rows.filter(
      (other) => wayOf(other) === wayOf(row) && other.neighbours === row.neighbours,
    );
    return {
      label: alike.length > 1 ? labelOf(row) : '',
      series: wayOf(row),
      neighbours: row.neighbours ?? 0,
      f1: scoreOf(row)?.value ?? 0,
      success: own.value,
      successInterval: own.interval,
      kind,
    };
  });
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
  const references = plain === undefined ? [] : [plain, plain - AIMED_LOSS];
  return percentAxis(
    'binary token F1 of a de-identifier trained on what is shared, per cent',
    [...groups, { name: '', points: references.map((f1) => [f1, 0] as const) }],
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
function strongestAttack(cells: Row['cells']): Cell | undefined {
  const found = [cells.adversaryUnseen, cells.twins, cells.pair].flatMap((cell) => cell ?? []);
  const sure = ({ value, interval }: Cell) => interval?.[0] ?? value;
  return found.sort((a, b) => sure(b) - sure(a))[0];
}
