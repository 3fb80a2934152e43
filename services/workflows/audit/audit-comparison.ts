import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readAudit } from '../../../models/attacks/report/audit-file.js';
import { auditFrontier } from '../../../models/attacks/report/audit-frontier.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import type { ComparedAudit } from '../../../models/attacks/report/compared-attacks.js';
import { comparisonPage } from '../../../models/attacks/report/comparison-page.js';
import { figureSvg } from '../../../models/charts/figure.js';
import type { FrontierPoint } from '../../../models/charts/frontier.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import { readAuditFile } from './audit-report-files.js';
import { type AuditScore, readScores } from './audit-scores.js';
import { distinctNames } from './distinct-names.js';

const PAGE_FILE = 'comparison.html';
const FIGURE_FILE = 'frontier.svg';

export interface AuditComparison {
  readonly audits: readonly ComparedAudit[];
  /** What the figure shows; empty without scores. */
  readonly points: readonly FrontierPoint[];
  /** The page, and with scores the figure. */
  readonly files: readonly string[];
}

/**
 * Sets the audits in `directories` side by side as a page in `out`, and with a file of scores against what
 * the models are worth. Throws `usage` for a directory that is there twice, `config-invalid` for scores
 * that lack an audit or do not tell two apart, and as `readAuditFile` and `readScores`.
 */
export async function compareAudits(
  directories: readonly string[],
  { scores: file, out }: { readonly scores?: string; readonly out: string },
): Promise<AuditComparison> {
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
  return { audits, points, files: await writeComparison(out, audits, points) };
}

async function writeComparison(
  out: string,
  audits: readonly ComparedAudit[],
  points: readonly FrontierPoint[],
): Promise<string[]> {
  makeFolders(out);
  const [page, file] = [path.join(out, PAGE_FILE), path.join(out, FIGURE_FILE)];
  const figure = points.length > 0 ? auditFrontier(points) : undefined;
  await writeFile(page, comparisonPage(audits, figure));
  if (figure === undefined) return [page];
  await writeFile(file, figureSvg(figure));
  return [page, file];
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

/** The strongest attack on pairs and the bound on all of them. */
function pointsOf(
  { attacks, certified, candidates }: AuditReport,
  score: AuditScore,
): FrontierPoint[] {
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
