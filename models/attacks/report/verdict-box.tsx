import type { VNode } from 'preact';
import { Verdict } from '../../../platform/pages/verdict.js';
import { capitalise } from '../capitalise.js';
import { type AuditReport, comparisonsOf } from './audit-report.js';
import { tellingAttacks } from './telling-attacks.js';
import { isQuiet } from './verdict.js';

/** The parts of an audit's verdict, which stand in one sentence, one under the other. */
export function VerdictBox({ report }: { readonly report: AuditReport }): VNode {
  const [first, ...others] = report.verdict.replace(/\.$/, '').split('; ');
  const { attacks, baselines } = report;
  const comparisons = comparisonsOf(report);
  const telling = tellingAttacks(attacks, baselines, comparisons);
  return (
    <Verdict quiet={isQuiet(telling, comparisons)}>
      <p>{first}.</p>
      {others.length > 0 && (
        <ul>
          {others.map((part) => (
            <li>{capitalise(part)}.</li>
          ))}
        </ul>
      )}
    </Verdict>
  );
}
