import { AuditReportBody } from '../../../models/attacks/report/audit-report-body.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Notice } from '../../../platform/pages/notice.js';
import { MEMBERS } from '../../../pool-store/members/tokens.js';
import { findAudit } from '../../../pool-store/models/audit-list.js';
import { TacetError } from '../../../proto/errors.js';
import { type Page, page } from '../../http/pages/page.js';
import { holderOf } from '../bundle-signatures.js';
import { readableReport } from './audit-summaries.js';
import { StatusNotice } from './model-status.js';
import { auditHref, auditsHref, modelHref, PLACES } from './places.js';
import type { RegistryReading } from './registry-reading.js';

/** One audit in full, with whose it is by the registry's identities. */
export function auditPage({ store }: RegistryReading): Page {
  return page({
    path: PLACES.audit,
    roles: MEMBERS,
    show: async ({ params: { name, version, id } }) => {
      const model = await store.models.get(name, version);
      if (model.version !== version) return auditHref(model, id);
      const audit = await findAudit(store.catalog, id);
      if (audit.model !== model.digest)
        throw new TacetError('not-found', `${name} ${version} has no audit ${id}`);
      const report = await readableReport(store.catalog, id);
      const auditors: { keyId: string; name: string | undefined }[] = [];
      for (const keyId of audit.keyIds)
        auditors.push({ keyId, name: await holderOf(store, keyId) });
      const signature = {
        auditors,
        registry: 'this registry',
        attached: audit.attached,
      };
      return {
        title: `Audit of ${model.name} ${model.version}`,
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Models', href: PLACES.models },
                { text: `${model.name} ${model.version}`, href: modelHref(model) },
                { text: 'Audits', href: auditsHref(model) },
              ]}
              here={id.slice(0, 12)}
            />
            <StatusNotice {...model} />
            {report ? (
              <AuditReportBody
                report={report}
                standing={{ signature, publisher: model.publisher }}
              />
            ) : (
              <Notice kind="danger">
                <p>This audit cannot be read by this version of Tacet.</p>
              </Notice>
            )}
          </>
        ),
      };
    },
  });
}
