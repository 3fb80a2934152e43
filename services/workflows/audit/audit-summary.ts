import type { AttackReport } from '../../../models/attacks/attack.js';
import { isCalibrated } from '../../../models/attacks/learned/calibrated.js';
import { type AuditStanding, policyText } from '../../../models/attacks/report/audit-facts.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { percent } from '../../../platform/percent-text.js';

/** An audit in a few lines: of what, the verdict, then attacks from strongest to weakest. */
export function auditSummary(report: AuditReport, standing: AuditStanding = {}): string[] {
  const { attacks, baselines, certified, entities, swaps, worstCase, leftOut, verdict } = report;
  return [
    ...headingLines(report),
    verdict,
    '',
    ...attacks.map((attack) =>
      isCalibrated(attack, baselines) ? attackLine(attack) : `${attackLine(attack)}${UNCALIBRATED}`,
    ),
    `${'limit of every attack on one release'.padEnd(NAME)} ${share(certified.bound)} of pairs`,
    `${'limit for an entity in a whole note'.padEnd(NAME)} ${share(entities.bound)} of pairs`,
    ...(swaps
      ? [`${'limit for a random swap of an entity'.padEnd(NAME)} ${share(swaps.bound)} of pairs`]
      : []),
    `worst case: ${worstCaseText(worstCase)}`,
    ...leftOut.map((what) => `left out: ${what}`),
    `policy: ${policyText(standing)}`,
  ];
}

/** A release is of a sentence, of which one word moves all vectors. */
function worstCaseText(worstCase: AuditReport['worstCase']): string {
  if (!worstCase) return 'no limit holds, since word vectors have no common length';
  const { token, sentence, delta } = worstCase;
  const [one, all] = [token, sentence].map(({ epsilon }) => epsilon.toFixed(0));
  return `ε = ${one} for one token's vector, ${all} for a sentence of ${sentence.tokens}, at δ = ${delta}`;
}

/** Nothing for audits of formats that do not state it. */
function headingLines({ heading, documents }: AuditReport): string[] {
  if (!heading) return [];
  const { name, version, created, corpus } = heading;
  return [
    `${name} ${version}, audited on ${created.slice(0, 10)} with ${corpus}: measured on ${documents.test} notes`,
    '',
  ];
}

const NAME = 36;
const UNCALIBRATED = '  (not calibrated here: it fails on word vectors too)';

function attackLine({
  name,
  success,
  chance,
  limit,
  trials,
  topTen,
  statement,
}: AttackReport): string {
  const of = statement ? `  (${statement})` : '';
  const ten = topTen ? `  in ten ${percent(topTen.value)}` : '';
  const most = limit ? `  at most ${percent(limit.value)}` : '';
  return `${name.padEnd(NAME)} ${share(success)} of ${trials}, guessing ${percent(chance)}${most}${ten}${of}`;
}

function share({ value, interval }: AttackReport['success']): string {
  return `${percent(value)} [${interval.map((end) => percent(end)).join(', ')}]`;
}
