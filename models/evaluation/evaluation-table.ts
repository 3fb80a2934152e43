import { hundredths } from '../../platform/percent-text.js';
import type { Interval } from '../statistics/bootstrap.js';
import type { Confused } from './confusion.js';
import { LEVELS, type Level, REGIONS, type Region } from './document-counts.js';
import type { Evaluation } from './evaluate.js';
import { share } from './headlines.js';
import type { MeanScore } from './score.js';
import { ENOUGH_ORIGINS } from './score-intervals.js';
import type { Leakage, RegionScores } from './scores.js';

const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  token: 'token',
  i2b2Token: 'i2b2 token',
  strict: 'entity strict',
  relaxed: 'entity relaxed',
};

const REGION_NAMES: Readonly<Record<Region, string>> = {
  header: 'header',
  freeText: 'free text',
  signature: 'signature',
};

/** The evaluation as lines for people: in per cent, with 95 % intervals where there are any. */
export function evaluationTable(evaluation: Evaluation): string[] {
  const { documents, tokens } = evaluation;
  return [
    `${documents} documents, ${tokens} tokens; per cent, ${intervalsText(evaluation)}`,
    '',
    row('', 'precision', 'recall', 'F1'),
    ...LEVELS.flatMap((level) => levelRows(evaluation, level)),
    scoreRow(
      'entity merged (MEDDOCAN), binary',
      evaluation.merged,
      evaluation.headlineIntervals,
      'merged',
    ),
    ...hipaaLines(evaluation),
    ...REGIONS.flatMap((region) => regionRows(evaluation, region)),
    '',
    ...typeRows(evaluation, 'token'),
    ...typeRows(evaluation, 'strict'),
    ...confusionLines(evaluation.confusion),
    leakLine('leaked', evaluation.leakage),
    ...REGIONS.map((region) => leakLine(`  ${REGION_NAMES[region]}`, evaluation.regions[region])),
  ];
}

function intervalsText({ documents, origins, headlineIntervals }: Evaluation): string {
  const text =
    Object.keys(headlineIntervals).length > 0
      ? 'with 95 % intervals over documents, those of one origin together'
      : 'without intervals';
  if (origins >= ENOUGH_ORIGINS) return text;
  const counted = origins === documents ? `${documents} documents` : `${origins} origins`;
  return `${text}: ${counted}, too few to be sure of`;
}

const VIEWS = ['binary', 'micro', 'macro'] as const;

function levelRows(
  { headlineIntervals: intervals, ...scores }: Evaluation,
  level: Level,
): string[] {
  const { hipaa } = scores[level];
  const name = LEVEL_NAMES[level];
  return [
    ...VIEWS.map((view) =>
      scoreRow(`${name}, ${view}`, scores[level][view], intervals, `${level}.${view}`),
    ),
    ...(hipaa === null
      ? []
      : VIEWS.map((view) =>
          scoreRow(`${name}, HIPAA ${view}`, hipaa[view], intervals, `${level}.hipaa.${view}`),
        )),
  ];
}

function hipaaLines({ hipaa: { scheme, unknownTypes } }: Evaluation): string[] {
  if (unknownTypes.length === 0) return [];
  const types = unknownTypes.join(', ');
  return [`no HIPAA scores: scheme ${scheme} does not say whether these types count: ${types}`];
}

function regionRows(
  { regions, headlineIntervals: intervals }: Evaluation,
  region: Region,
): string[] {
  const scores: RegionScores = regions[region];
  if (scores.phiCharacters + scores.token.binary.fp === 0) return [];
  return (['token', 'strict'] as const).flatMap((level) =>
    (['binary', 'micro'] as const).map((view) =>
      scoreRow(
        `${REGION_NAMES[region]}: ${LEVEL_NAMES[level]}, ${view}`,
        scores[level][view],
        intervals,
        `regions.${region}.${level}.${view}`,
      ),
    ),
  );
}

function typeRows(evaluation: Evaluation, level: Level): string[] {
  const types = Object.entries(evaluation[level].perType);
  return types.length === 0
    ? []
    : [
        row(`${LEVEL_NAMES[level]}, by type`, 'precision', 'recall', 'F1', 'gold'),
        ...types.map(([type, { precision, recall, f1, tp, fn }]) =>
          row(`  ${type}`, ...[precision, recall, f1].map(percent), String(tp + fn)),
        ),
        '',
      ];
}

const SHOWN_CONFUSIONS = 20;

/** Wrong tokens only. */
function wrongOnly(confusion: readonly Confused[]): Confused[] {
  return confusion.filter(({ gold, system }) => gold !== system);
}

function confusionLines(confusion: readonly Confused[]): string[] {
  const wrong = wrongOnly(confusion);
  if (wrong.length === 0) return [];
  const shown = wrong.slice(0, SHOWN_CONFUSIONS);
  const left = wrong.length - shown.length;
  return [
    row('wrong tokens, by gold type', 'tokens', '  system type'),
    ...shown.map(({ gold, system, tokens }) =>
      row(`  ${gold ?? 'no PHI'}`, String(tokens), `  ${system ?? 'no PHI'}`.padEnd(VALUE_WIDTH)),
    ),
    ...(left > 0 ? [`  and ${left} further pairs of types`] : []),
    '',
  ];
}

function scoreRow(
  name: string,
  { precision, recall, f1 }: MeanScore,
  intervals: Readonly<Record<string, Interval>>,
  path: string,
): string {
  const cell = (value: number, measure: string) => {
    const interval = intervals[`${path}.${measure}`];
    const range = interval === undefined ? '' : `(${interval.map(percent).join('-')})`;
    return `${percent(value)} ${range.padStart(INTERVAL_WIDTH)}`;
  };
  return row(name, cell(precision, 'precision'), cell(recall, 'recall'), cell(f1, 'f1'));
}

const NAME_WIDTH = 40;
const VALUE_WIDTH = 24;
const INTERVAL_WIDTH = 15;

function row(name: string, ...values: string[]): string {
  return (
    name.padEnd(NAME_WIDTH) + values.map((value) => value.padStart(VALUE_WIDTH)).join('')
  ).trimEnd();
}

function leakLine(name: string, leakage: Leakage): string {
  const { phiCharacters, leakedCharacters, documentsWithPhi, documentsWithLeak } = leakage;
  const leaked = percent(share(leakedCharacters, phiCharacters));
  return `${name}: ${leakedCharacters} of ${phiCharacters} characters of PHI (${leaked} %), in ${documentsWithLeak} of ${documentsWithPhi} documents with PHI`;
}

const percent = (value: number) => hundredths(value, { digits: 2 });
