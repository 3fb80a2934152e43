import { selfContainedPage } from '../../../platform/pages/self-contained.js';
import type { AuditStanding } from './audit-facts.js';
import type { AuditReport } from './audit-report.js';
import { AuditReportBody } from './audit-report-body.js';

const TITLE = 'Audit of a representation';

/** An audit as one self-contained page. It holds no text. */
export function auditPage(report: AuditReport, standing: AuditStanding = {}): string {
  return selfContainedPage(
    TITLE,
    <main>
      <h1>{TITLE}</h1>
      <AuditReportBody report={report} standing={standing} />
    </main>,
  );
}
