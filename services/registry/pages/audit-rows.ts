import type { Model } from '../../../pool-store/models/models.js';
import { holderOf } from '../bundle-signatures.js';
import type { SummarisedAudit } from './audit-summaries.js';
import type { AuditRow } from './audits-table.js';
import type { RegistryReading } from './registry-reading.js';

/** The rows of a table of audits of one model. */
export async function rowsOf(
  { store }: RegistryReading,
  model: Model,
  audits: readonly SummarisedAudit[],
): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const audit of audits) {
    const names = await Promise.all(audit.keyIds.map((keyId) => holderOf(store, keyId)));
    const auditors = [...new Set(names.flatMap((name) => name ?? []))];
    rows.push({ ...audit, of: model, auditors });
  }
  return rows;
}
