import { FigureDrawing } from '../../../models/charts/figure.js';
import { Wide } from '../../../platform/pages/wide.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import { listAudits } from '../../../pool-store/models/audit-list.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { rowsOf } from './audit-rows.js';
import { type AuditedModel, auditsFigure } from './audits-figure.js';
import { AuditsTable } from './audits-table.js';
import { PLACES } from './places.js';
import { readableManifest } from './readable-manifest.js';
import type { RegistryReading } from './registry-reading.js';

/** As many as can be told apart in a figure. */
const AUDITS_PER_PAGE = 12;

/** The audits of all models, newest first: what attackers get right against what models are worth. */
export function auditsPage(reading: RegistryReading): Page {
  const { store, summaries } = reading;
  return page({
    path: PLACES.audits,
    roles: MEMBERS,
    query: pagingQuery,
    show: async ({ query }) => {
      const part = extentOf(query, AUDITS_PER_PAGE);
      const { rows, total } = await listAudits(store.catalog, part);
      const audits: AuditedModel[] = [];
      for (const audit of rows) {
        const model = await store.models.findByDigest(audit.model);
        if (!model) continue;
        const manifest = await readableManifest(store, model.digest);
        const [row] = await rowsOf(reading, model, [await summaries.of(audit)]);
        if (row) audits.push({ ...row, manifest });
      }
      const figure = auditsFigure(audits);
      return {
        title: 'Audits',
        body: (
          <>
            <p>
              Attacks show at least what can be learned from what is shared; a limit shows at most
              what one release can tell of one PHI word, as a mean. The figure has those models
              whose publisher states an F1, and leaves revoked ones out.
            </p>
            {figure && (
              <Wide name="Figure">
                <FigureDrawing figure={figure} />
              </Wide>
            )}
            <AuditsTable rows={audits} ofSeveral />
            <QueryPages path={PLACES.audits} query={query} total={total} rows={AUDITS_PER_PAGE} />
          </>
        ),
      };
    },
  });
}
