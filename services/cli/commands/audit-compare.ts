import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { AuditReport } from '../../../models/attacks/audit.js';
import { readAudit } from '../../../models/attacks/report/audit-file.js';
import { auditFrontier } from '../../../models/attacks/report/audit-frontier.js';
import {
  type ComparedAudit,
  comparedAttacks,
  comparisonPage,
} from '../../../models/attacks/report/comparison-page.js';
import type { FrontierPoint } from '../../../models/charts/frontier.js';
import { Html } from '../../../models/charts/html.js';
import { percent } from '../../../platform/percent-text.js';
import { TacetError } from '../../../proto/errors.js';
import { parseJsonText } from '../../../proto/json-text.js';
import { validator } from '../../../proto/validator.js';
import { readAuditFile } from '../../workflows/audit-report-files.js';
import { contextOf } from '../context.js';
import { distinctNames } from '../distinct-names.js';

/** What the audited model is worth, by the name of the audit's directory, as the columns are headed. */
interface Score {
  readonly label: string;
  readonly series: string;
  readonly f1: number;
  readonly f1Interval: readonly [low: number, high: number];
}

const PAGE_FILE = 'comparison.html';
const FIGURE_FILE = 'frontier.svg';
const FIRST_COLUMN = 44;
const COLUMN = 12;

const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

const parseScores = validator<Readonly<Record<string, Score>>>(
  {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'series', 'f1', 'f1Interval'],
      properties: {
        label: { type: 'string' },
        series: { type: 'string', minLength: 1 },
        f1: SHARE,
        f1Interval: { type: 'array', items: SHARE, minItems: 2, maxItems: 2 },
      },
    },
  },
  'config-invalid',
  'the scores',
);

interface Options {
  readonly scores?: string;
  readonly out: string;
}

/** `tacet audit compare`: several audits side by side, and with scores against what they are worth. */
export function auditCompareCommand(): Command {
  return new Command('compare')
    .description('set audits of several models side by side, as a table and a page')
    .argument('<audits...>', 'directories that `tacet audit run` wrote')
    .option(
      '--scores <file>',
      'JSON: for each directory’s name {"label", "series", "f1", "f1Interval": [low, high]}; adds F1 and a figure',
    )
    .requiredOption('--out <dir>', 'where comparison.html goes, and with scores frontier.svg')
    .action(compare);
}

async function compare(
  directories: readonly string[],
  { scores: file, out }: Options,
  self: Command,
): Promise<void> {
  const { result } = contextOf(self);
  const scores = file === undefined ? undefined : await readScores(file);
  const audits: ComparedAudit[] = [];
  const points: FrontierPoint[] = [];
  const names = distinctNames(directories);
  for (const [at, directory] of directories.entries()) {
    const name = names[at];
    const score = scores?.[name];
    if (scores && !score)
      throw new TacetError('config-invalid', `${file}: no scores of the audit ${name}`);
    const report = readAudit(await readAuditFile(directory));
    const f1 = score && { value: score.f1, interval: score.f1Interval };
    audits.push({ label: score ? `${score.series}, ${score.label}` : name, report, f1 });
    if (score) points.push(...pointsOf(report, score));
  }
  requireDistinct(file, audits);
  await mkdir(out, { recursive: true });
  const [page, figure] = [path.join(out, PAGE_FILE), path.join(out, FIGURE_FILE)];
  const chart = points.length > 0 ? auditFrontier(points) : undefined;
  await writeFile(page, comparisonPage(audits, chart === undefined ? undefined : new Html(chart)));
  if (chart !== undefined) await writeFile(figure, chart);
  const rows = comparedAttacks(audits);
  result({ audits: audits.map(({ label }) => label), attacks: rows, points }, [
    ...table(audits),
    page,
    ...(chart === undefined ? [] : [figure]),
  ]);
}

/** Refuses scores by which two columns would be headed alike. */
function requireDistinct(file: string | undefined, audits: readonly ComparedAudit[]): void {
  const labels = audits.map(({ label }) => label);
  const twice = labels.find((label, i) => labels.indexOf(label) < i);
  if (twice === undefined) return;
  throw new TacetError(
    'config-invalid',
    `${file}: two audits have the series and label ${twice}; give them labels of their own`,
  );
}

async function readScores(file: string): Promise<Readonly<Record<string, Score>>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file of scores`);
  });
  try {
    return parseScores(parseJsonText(text));
  } catch (error) {
    if (error instanceof TacetError) throw error;
    throw new TacetError('config-invalid', `${file}: expected JSON`);
  }
}

/** The strongest attack on pairs and the bound on all of them. */
function pointsOf({ attacks, certified, candidates }: AuditReport, score: Score): FrontierPoint[] {
  const common = { ...score, neighbours: candidates };
  const strongest = attacks.find(({ task }) => task === 'tell a pair apart');
  const point = (
    kind: FrontierPoint['kind'],
    { value, interval }: AuditReport['certified']['bound'],
  ): FrontierPoint => ({ ...common, kind, success: value, successInterval: interval });
  return [
    ...(strongest ? [point('attack', strongest.success)] : []),
    point('bound', certified.bound),
  ];
}

/** A row for each kind of attack, a column for each audit. */
function table(audits: readonly ComparedAudit[]): string[] {
  const width = Math.max(COLUMN, ...audits.map(({ label }) => label.length + 2));
  const row = (what: string, cells: readonly string[]) =>
    [what.padEnd(FIRST_COLUMN), ...cells.map((cell) => cell.padStart(width))].join('');
  return [
    row(
      '',
      audits.map(({ label }) => label),
    ),
    ...(audits.some(({ f1 }) => f1)
      ? [
          row(
            'F1',
            audits.map(({ f1 }) => (f1 ? percent(f1.value) : '–')),
          ),
        ]
      : []),
    ...comparedAttacks(audits).map(({ what, attacks }) =>
      row(
        what,
        attacks.map((attack) => (attack ? percent(attack.success.value) : '–')),
      ),
    ),
    row(
      'limit of every attack',
      audits.map(({ report }) => percent(report.certified.bound.value)),
    ),
  ];
}
