import type { AuditReport } from '../../../models/attacks/audit.js';
import type { ComparedAudit } from '../../../models/attacks/report/compared-attacks.js';
import { ComparisonBody } from '../../../models/attacks/report/comparison-body.js';
import { firstScore } from '../../../models/bundle/stated-scores.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { listAudits } from '../../../pool-store/audit-list.js';
import type { Model } from '../../../pool-store/models.js';
import type { Store } from '../../../pool-store/store.js';
import { MEMBERS } from '../../../pool-store/tokens.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { rowsOf } from './audit-rows.js';
import { readableReport } from './audit-summaries.js';
import { type AuditRow, AuditsTable } from './audits-table.js';
import { StatusNotice } from './model-status.js';
import { auditsHref, modelHref, PLACES } from './places.js';
import { readableManifest } from './readable-manifest.js';
import type { RegistryReading } from './registry-reading.js';

/** As many as stand side by side. */
const AUDITS_PER_PAGE = 4;

/** The audits of one version, newest first and side by side. */
export function modelAuditsPage(reading: RegistryReading): Page {
  const { store, summaries } = reading;
  return page({
    path: PLACES.modelAudits,
    roles: MEMBERS,
    query: pagingQuery,
    show: ({ params, query }) => {
      const model = store.models.get(params.name, params.version);
      if (model.version !== params.version) return auditsHref(model);
      const part = extentOf(query, AUDITS_PER_PAGE);
      const { rows, total } = listAudits(store.catalog, part, model.digest);
      const audits = rowsOf(
        reading,
        model,
        rows.map((audit) => summaries.of(audit)),
      );
      const compared = comparedOf(store, model, audits);
      return {
        title: `Audits of ${model.name} ${model.version}`,
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Models', href: PLACES.models },
                { text: `${model.name} ${model.version}`, href: modelHref(model) },
              ]}
              here="Audits"
            />
            <StatusNotice {...model} />
            <AuditsTable rows={audits} />
            <QueryPages
              path={auditsHref(model)}
              query={query}
              total={total}
              rows={AUDITS_PER_PAGE}
            />
            {compared.length > 0 && (
              <>
                <h2>Side by side</h2>
                <ComparisonBody audits={compared} />
              </>
            )}
          </>
        ),
      };
    },
  });
}

/** Those that can be read, each under its day and its auditor. */
function comparedOf(store: Store, model: Model, audits: readonly AuditRow[]): ComparedAudit[] {
  const manifest = readableManifest(store, model.digest);
  const f1 = manifest && firstScore(manifest.scores, 'F1');
  return audits.flatMap(({ id, attached, auditors }) => {
    const report: AuditReport | undefined = readableReport(store.catalog, id);
    if (!report) return [];
    const label = `${attached.slice(0, 10)}, ${auditors.join(', ') || id.slice(0, 8)}`;
    return [
      { label, report, ...(f1?.interval && { f1: { value: f1.value, interval: f1.interval } }) },
    ];
  });
}
