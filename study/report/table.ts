import { SMALLEST_SLICE } from '../../models/attacks/report/slices.js';
import { LEAST_DOCUMENTS } from '../../models/statistics/estimate.js';
import { hundredths } from '../../platform/percent-text.js';
import type { Cell } from './cell.js';
import type { LimitSlice, Metric } from './metrics.js';
import type { Row } from './row.js';
import type { Table } from './text-table.js';

export interface NamedTable {
  readonly title: string;
  /** What the columns mean. */
  readonly legend: string;
  readonly table: Table;
}

interface Column {
  readonly heading: string;
  /** What is measured, or how a row says it otherwise. */
  readonly metric: Metric | ((row: Row) => string);
}

/** The paper's headline; its columns stand where a corpus has such types. */
const HIPAA_METRICS: readonly Metric[] = ['ownHipaaF1', 'releasedHipaaF1'];
/** Of an adversary that learned on to its end, whatever its validation notes say. */
const LAST_METRICS: readonly Metric[] = ['adversaryLastUnseen', 'adversaryLastLearned'];

const FINDING: readonly Column[] = [
  { heading: 'HIPAA F1, own', metric: 'ownHipaaF1' },
  { heading: 'F1, own', metric: 'ownF1' },
  { heading: 'entity F1, own', metric: 'ownEntityF1' },
  { heading: 'recall, own', metric: 'ownRecall' },
  { heading: 'HIPAA F1, releases', metric: 'releasedHipaaF1' },
  { heading: 'F1, releases', metric: 'releasedF1' },
  { heading: 'entity F1, releases', metric: 'releasedEntityF1' },
  { heading: 'recall, releases', metric: 'releasedRecall' },
  { heading: 'F1, noise on', metric: 'releasedNoisyF1' },
];

const PRIVACY: readonly Column[] = [
  { heading: 'F1, releases', metric: 'releasedF1' },
  { heading: 'limit, mean', metric: 'bound' },
  { heading: 'median', metric: 'boundMedian' },
  { heading: '95th', metric: 'bound95' },
  { heading: '99th', metric: 'bound99' },
  { heading: 'most', metric: 'boundMaximum' },
  { heading: 'over 60', metric: 'boundOver60' },
  { heading: 'limit, entity', metric: 'entityBound' },
];

const ATTACKS: readonly Column[] = [
  { heading: 'adversary at the freeze', metric: 'adversaryBefore' },
  { heading: 'learned on, unseen', metric: 'adversaryUnseen' },
  { heading: 'learned on, its own', metric: 'adversaryLearned' },
  { heading: 'epochs of it (best)', metric: learnedOnText },
  { heading: 'after the last, unseen', metric: 'adversaryLastUnseen' },
  { heading: 'after the last, its own', metric: 'adversaryLastLearned' },
  { heading: 'likelihood, twins', metric: 'twins' },
  { heading: 'likelihood, pair', metric: 'pair' },
  { heading: 'names the word', metric: 'word' },
  { heading: 'limit, mean', metric: 'bound' },
];

/** The results as tables of percentages. */
export function resultTables(rows: readonly Row[]): NamedTable[] {
  const attacked = rows.filter(({ cells }) => cells.bound);
  const finding = columnsFor(rows, FINDING, HIPAA_METRICS);
  const attacks = columnsFor(attacked, ATTACKS, LAST_METRICS);
  return [
    {
      title: 'Finding PHI',
      legend:
        'Per cent on held-out notes. F1 and recall: tokens, PHI or not; entity F1: spans of equal ' +
        'offsets and type. Own: the de-identifier that the run trained. Releases: a new one, trained ' +
        'from scratch on one release of every training sentence; noise off where notes are ' +
        'de-identified, or on.' +
        (finding.length < FINDING.length
          ? ''
          : ' HIPAA F1: tokens of HIPAA’s types, PHI or not, as the official i2b2 2014 evaluation counts.'),
      table: metricTable(rows, finding),
    },
    {
      title: 'The limit on every attack',
      legend:
        'The certified bound on telling a sentence from one with a moved word, per cent of balanced ' +
        'pairs of held-out notes (50 is chance), judged one at a time: its mean, and what a mean ' +
        'hides, with the least and the most of the seeds, where they differ, in place of an interval. A certificate is that ' +
        'of one model: the limits of each seed stand in results.json. Over 60: share of pairs with a ' +
        'bound above 60. Entity: moved wherever it occurs in its note. Of pseudonymised notes: exact, ' +
        'for a pseudonym of either word.',
      table: metricTable(attacked, PRIVACY),
    },
    {
      title: 'The limit, by what was moved',
      legend:
        'The mean certified bound by the type of the moved word, by its form and its frequency in the ' +
        'training notes of its seed, and by the length of its sentence, each where a seed has ' +
        `${SMALLEST_SLICE} pairs or more of ${LEAST_DOCUMENTS} notes; per cent. Pairs: the least and the most ` +
        'of the rows and their seeds.',
      table: sliceTable(attacked),
    },
    {
      title: 'Attacks',
      legend:
        'Right answers, per cent. The adversary of training at the freeze, and after it learned on ' +
        'against the frozen representation: on notes it has not seen, and on those it learned from; the ' +
        'epochs that it learned on for, and in brackets the best of them by its validation notes, which is measured' +
        (attacks.length < ATTACKS.length ? '. ' : '; and after the last of them. ') +
        'Likelihood: an attacker with the model, who knows both sentences (twins), or one and the ' +
        'candidates of a word (pair); names the word: among N (chance 1/N). Of pseudonymised notes: the ' +
        'best attacks that there are.',
      table: metricTable(attacked, attacks),
    },
    {
      title: 'What the rows rest on',
      legend:
        'Notes: trained on, stopped by, measured on. Hours: training epochs, a mean over the seeds; ' +
        'epochs that were taken over from another run count in either. Validation loss: the least of the ' +
        'last phase that trains more than an adversary, a mean over the seeds; settings may be chosen by it. ' +
        'Differs: in what its kind reads.',
      table: originTable(rows),
    },
  ];
}

/** Those of `columns` that are always there, and those of `metrics` where a row has any of them. */
function columnsFor(
  rows: readonly Row[],
  columns: readonly Column[],
  metrics: readonly Metric[],
): readonly Column[] {
  if (rows.some(({ cells }) => metrics.some((metric) => cells[metric]))) return columns;
  return columns.filter(({ metric }) => !metrics.includes(metric as Metric));
}

/** What each row was trained and measured on, and how it differs from the defaults. */
function originTable(rows: readonly Row[]): Table {
  return [
    [
      ...['', 'kind', 'N', 'seeds', 'notes', 'hours', 'validation loss'],
      ...['differs from the defaults', 'remarks'],
    ],
    ...rows.map((row) => [
      row.name,
      row.kind,
      row.neighbours === null ? '' : String(row.neighbours),
      row.seeds.length === 1 ? `one (${row.seeds[0]})` : row.seeds.join(', '),
      row.documents?.join(' + ') ?? '',
      row.trainingHours.toFixed(2),
      Number.isFinite(row.validationLoss) ? row.validationLoss.toFixed(4) : '',
      row.variant,
      row.notes.join('; '),
    ]),
  ];
}

function metricTable(rows: readonly Row[], columns: readonly Column[]): Table {
  return [
    ['', ...columns.map(({ heading }) => heading), '95 % interval over'],
    ...rows.map((row) => [
      row.name,
      ...columns.map(({ metric }) =>
        typeof metric === 'string' ? cellText(row.cells[metric], row) : metric(row),
      ),
      intervalText(row),
    ]),
  ];
}

/** A line for each kind of pair, a column for each configuration. */
function sliceTable(rows: readonly Row[]): Table {
  const bounded = rows.filter(({ slices }) => slices.length > 0);
  const kinds = bounded.flatMap(({ slices }) => slices).filter(isFirstOfItsKind);
  return [
    ['', 'pairs', ...bounded.map(({ name }) => name)],
    ...kinds.map((kind) => {
      const own = bounded.map(({ slices }) => slices.find((each) => isSameKind(each, kind)));
      const limits = bounded.map((row, i) => {
        const limit = own[i]?.limit;
        return limit ? ofSeeds(hundredths(limit.value), limit, row) : '';
      });
      return [`${kind.by}: ${kind.value}`, pairsText(own.flatMap((each) => each ?? [])), ...limits];
    }),
  ];
}

/** `2766 to 2786` where they differ. */
function pairsText(slices: readonly LimitSlice[]): string {
  const least = Math.min(...slices.map(({ pairs }) => pairs));
  const most = Math.max(...slices.map(({ pairs, mostPairs = pairs }) => mostPairs));
  return least === most ? String(most) : `${least} to ${most}`;
}

function isFirstOfItsKind(slice: LimitSlice, at: number, all: readonly LimitSlice[]): boolean {
  return all.findIndex((each) => isSameKind(each, slice)) === at;
}

function isSameKind(a: LimitSlice, b: LimitSlice): boolean {
  return a.by === b.by && a.value === b.value;
}

function cellText(cell: Cell | undefined, row: Row): string {
  if (!cell) return '';
  const { value, interval, range } = cell;
  const text = [
    hundredths(value),
    ...(interval ? [`[${percentTexts(interval).join(', ')}]`] : []),
    ...(range && new Set(percentTexts(range)).size > 1
      ? [`(seeds ${percentTexts(range).join(' to ')})`]
      : []),
  ].join(' ');
  return ofSeeds(text, cell, row);
}

/** Where some of a row's runs have not been measured so, says how many have. */
function ofSeeds(text: string, { runs }: Cell, { seeds }: Row): string {
  return runs === seeds.length ? text : `${text} (${runs} of ${seeds.length} seeds)`;
}

function percentTexts(shares: readonly number[]): string[] {
  return shares.map((share) => hundredths(share));
}

/** `22 (12)` for each seed whose adversary learned on. */
function learnedOnText({ learnedOn }: Row): string {
  return learnedOn.map(({ epochs, bestEpoch }) => `${epochs} (${bestEpoch})`).join(', ');
}

/** What the intervals of a row are taken over. */
function intervalText({ seeds }: Row): string {
  if (seeds.length === 1) return 'notes, one seed';
  return seeds.length === 2 ? 'notes, of either seed' : `notes, ${seeds.length} seeds`;
}
