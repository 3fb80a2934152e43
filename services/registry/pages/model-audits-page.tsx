import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import type { ComparedAudit } from '../../../models/attacks/report/compared-attacks.js';
import { ComparisonBody } from '../../../models/attacks/report/comparison-body.js';
import { firstScore } from '../../../models/bundle/stated-scores.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import { listAudits } from '../../../pool-store/models/audit-list.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { Store } from '../../../pool-store/store.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { rowsOf } from './audit-rows.js';
import { readableReport, type SummarisedAudit } from './audit-summaries.js';
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
    show: async ({ params, query }) => {
      const model = await store.models.get(params.name, params.version);
      if (model.version !== params.version) return auditsHref(model);
      const part = extentOf(query, AUDITS_PER_PAGE);
      const { rows, total } = await listAudits(store.catalog, part, model.digest);
      const summarised: SummarisedAudit[] = [];
      for (const audit of rows) summarised.push(await summaries.of(audit));
      const audits = await rowsOf(reading, model, summarised);
      const compared = await comparedOf(store, model, audits);
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
async function comparedOf(
  store: Store,
  model: Model,
  audits: readonly AuditRow[],
): Promise<ComparedAudit[]> {
  const manifest = await readableManifest(store, model.digest);
  const f1 = manifest && firstScore(manifest.scores, 'F1');
  const own = f1?.interval && { f1: { value: f1.value, interval: f1.interval } };
  const compared: ComparedAudit[] = [];
  for (const { id, attached, auditors } of audits) {
    const report: AuditReport | undefined = await readableReport(store.catalog, id);
    const label = `${attached.slice(0, 10)}, ${auditors.join(', ') || id.slice(0, 8)}`;
    if (report) compared.push({ label, report, ...own });
  }
  return compared;
}
