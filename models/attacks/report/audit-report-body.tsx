import type { VNode } from 'preact';
import { AttackSection } from './audit-attack-table.js';
import { auditCharts } from './audit-charts.js';
import { AuditFacts, type AuditFactsProps } from './audit-facts.js';
import { Limits } from './audit-limits.js';
import { type AuditReport, comparisonsOf } from './audit-report.js';
import { Baselines } from './baselines.js';
import { besideNames } from './verdict.js';
import { VerdictBox } from './verdict-box.js';
import { WhoIsHit } from './who-is-hit.js';

/** An audit in a page, below its heading: what of, by whom, the verdict, then what it rests on. */
export function AuditReportBody({ report, standing }: AuditFactsProps): VNode {
  const { attacks, baselines, leftOut, notTried } = report;
  return (
    <>
      <AuditFacts report={report} standing={standing} />
      <VerdictBox report={report} />
      <p>
        An attack shows at least how much can be learned from what is shared: what none of these
        could do, another may. A limit shows at most how much: no attack whatever can do better on
        average, but only in what it speaks of, one PHI word that becomes another of its candidates.
        Labels and sentence lengths are shared in clear and are not protected by anything.{' '}
        {besideNames(attacks, comparisonsOf(report))}
      </p>
      <h2>Attacks, strongest first</h2>
      <AttackSection report={report} />
      <Curves report={report} />
      <WhoIsHit attacks={attacks} />
      <Limits report={report} />
      <h2>Baselines</h2>
      <Baselines baselines={baselines} />
      <h2>What this audit did not do</h2>
      <ul>
        {leftOut.map((what) => (
          <li>For want of time: {what}</li>
        ))}
        {notTried.map((what) => (
          <li>Not tried: {what}</li>
        ))}
      </ul>
    </>
  );
}

function Curves({ report }: { readonly report: AuditReport }): VNode | null {
  const charts = auditCharts(report);
  if (charts.length === 0) return null;
  return (
    <>
      <h2>Curves</h2>
      <div class="charts">{charts}</div>
    </>
  );
}
