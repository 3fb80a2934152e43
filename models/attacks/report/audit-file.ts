import { TacetError } from '../../../proto/errors.js';
import { requireJson } from '../../../proto/json-text.js';
import { validator } from '../../../proto/validator.js';
import { ATTACK_IDS, attackOfName } from '../attack-ids.js';
import type { AuditReport } from './audit-report.js';
import { AUDIT_REPORT } from './audit-schema.js';

const check = validator(AUDIT_REPORT, 'audit-invalid', 'the audit');

/** The bytes of an audit's JSON file, which are what is signed. */
export function writeAudit(report: AuditReport): Uint8Array {
  return Buffer.from(`${JSON.stringify(check(report), null, 2)}\n`);
}

/** Throws `audit-invalid`, naming the field. */
export function readAudit(bytes: Uint8Array): AuditReport {
  const value = requireJson(bytes, 'audit-invalid', 'the audit: expected JSON in UTF-8');
  const report = check(withIds(value));
  for (const { name, attack, family } of report.attacks)
    if (family !== ATTACK_IDS[attack])
      throw new TacetError(
        'audit-invalid',
        `the audit: ${name}: ${attack} is not of family ${family}`,
      );
  return report;
}

/** Audits of before reports held ids say the same by the names of their attacks. */
function withIds(value: unknown): unknown {
  const { attacks } = (value ?? {}) as { readonly attacks?: unknown };
  if (!Array.isArray(attacks)) return value;
  return { ...(value as object), attacks: attacks.map(withId) };
}

function withId(report: unknown): unknown {
  const { name, attack, family } = (report ?? {}) as Readonly<Record<string, unknown>>;
  if (attack !== undefined || family !== undefined || typeof name !== 'string') return report;
  const id = attackOfName(name);
  return id ? { ...(report as object), attack: id, family: ATTACK_IDS[id] } : report;
}
