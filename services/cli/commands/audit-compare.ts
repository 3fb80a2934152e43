import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { AuditReport } from '../../../models/attacks/audit.js';
import { readAudit } from '../../../models/attacks/audit-file.js';
import { type FrontierPoint, frontierChart } from '../../../models/charts/frontier-chart.js';
import { TacetError } from '../../../proto/errors.js';
import { validator } from '../../../proto/validator.js';
import { readAuditFile } from '../audit-report-files.js';
import { contextOf } from '../context.js';

/** What the audited model is worth, by the name of the audit's directory. */
interface Score {
  readonly label: string;
  readonly series: string;
  readonly f1: number;
  readonly f1Interval: readonly [low: number, high: number];
}

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

/** `tacet audit compare`: attack success and certified bound of several models against their F1. */
export function auditCompareCommand(): Command {
  return new Command('compare')
    .description('draw attack success and certified bound of several models against their F1')
    .argument('<audits...>', 'directories that `tacet audit run` wrote')
    .requiredOption(
      '--scores <file>',
      'JSON: for each directory’s name {"label", "series", "f1", "f1Interval": [low, high]}',
    )
    .requiredOption('--out <file>', 'where the figure goes (.svg)')
    .action(compare);
}

async function compare(
  directories: readonly string[],
  { scores: file, out }: { readonly scores: string; readonly out: string },
  self: Command,
): Promise<void> {
  const { result } = contextOf(self);
  const scores = await readScores(file);
  const points: FrontierPoint[] = [];
  const lines: string[] = [];
  for (const directory of directories) {
    const name = path.basename(path.resolve(directory));
    const score = scores[name];
    if (!score) throw new TacetError('config-invalid', `${file}: no scores of the audit ${name}`);
    const own = pointsOf(readAudit(await readAuditFile(directory)), score);
    points.push(...own);
    lines.push(lineOf(name, own));
  }
  await mkdir(path.dirname(path.resolve(out)), { recursive: true });
  await writeFile(out, frontierChart(points));
  result(points, [...lines, out]);
}

async function readScores(file: string): Promise<Readonly<Record<string, Score>>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new TacetError('file-not-found', `${file}: no such file of scores`);
  });
  try {
    return parseScores(JSON.parse(text));
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

function lineOf(name: string, points: readonly FrontierPoint[]): string {
  const [{ f1, f1Interval }] = points;
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  const span = (interval: readonly number[]) => `[${interval.map(share).join(', ')}]`;
  const marks = points.map(
    ({ kind, success, successInterval }) => `${kind} ${share(success)} ${span(successInterval)}`,
  );
  return [name.padEnd(24), `F1 ${share(f1)} ${span(f1Interval)}`, ...marks].join('  ');
}
