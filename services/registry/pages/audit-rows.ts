import type { Model } from '../../../pool-store/models.js';
import { holderOf } from '../bundle-signatures.js';
import type { SummarisedAudit } from './audit-summaries.js';
import type { AuditRow } from './audits-table.js';
import type { RegistryReading } from './registry-reading.js';

/** The rows of a table of audits of one model. */
export function rowsOf(
  { store }: RegistryReading,
  model: Model,
  audits: readonly SummarisedAudit[],
): AuditRow[] {
  return audits.map((audit) => ({
    ...audit,
    of: model,
    auditors: [...new Set(audit.keyIds.flatMap((keyId) => holderOf(store, keyId) ?? []))],
  }));
}
