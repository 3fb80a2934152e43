import { auditFrontier } from '../../../models/attacks/report/audit-frontier.js';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { firstScore } from '../../../models/bundle/stated-scores.js';
import type { Figure } from '../../../models/charts/figure.js';
import type { FrontierPoint } from '../../../models/charts/frontier.js';
import type { AuditSummary } from './audit-summary.js';
import type { AuditRow } from './audits-table.js';
import { cut } from './cut.js';

/** A model that was audited, as far as both can be read. */
export interface AuditedModel extends AuditRow {
  readonly manifest: Manifest | undefined;
}

/** Of characters, so that legend and labels stay beside each other. */
const [LONGEST_LABEL, LONGEST_WAY] = [28, 20];

/** Attack against F1 of audited models; undefined where none of them states its F1. */
export function auditsFigure(audits: readonly AuditedModel[]): Figure | undefined {
  const points = audits.flatMap(({ of: model, manifest, summary }) =>
    manifest && summary && model.status !== 'revoked'
      ? pointsOf(`${model.name} ${model.version}`, manifest, summary)
      : [],
  );
  return points.length === 0 ? undefined : auditFrontier(points);
}

/** The certified limit, and the strongest attack on pairs, whose chance is a coin's as the limit's is. */
function pointsOf(
  label: string,
  { scores, training }: Manifest,
  { candidates, limit, attacks }: AuditSummary,
): FrontierPoint[] {
  const f1 = firstScore(scores, 'F1');
  if (!f1 || !(f1.value > 0 && f1.value <= 1)) return [];
  const of = {
    label: cut(label, LONGEST_LABEL),
    series: cut(`${training.objective ?? 'not stated'}`, LONGEST_WAY),
    neighbours: candidates,
    f1: f1.value,
    f1Interval: f1.interval?.every((end) => end >= 0 && end <= 1) ? f1.interval : null,
  };
  const onPairs = attacks.find(({ task }) => task === 'tell a pair apart');
  return [
    { ...of, success: limit.value, successInterval: limit.interval, kind: 'bound' },
    ...(onPairs
      ? [
          {
            ...of,
            success: onPairs.success.value,
            successInterval: onPairs.success.interval,
            kind: 'attack' as const,
          },
        ]
      : []),
  ];
}
