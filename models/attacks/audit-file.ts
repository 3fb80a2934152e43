import { readFileSync } from 'node:fs';
import { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import type { AuditReport } from './audit.js';

const schema = JSON.parse(
  readFileSync(new URL('./audit-report.schema.json', import.meta.url), 'utf8'),
);
const check = validator<AuditReport>(schema, 'audit-invalid', 'the audit');

/** The bytes of an audit's JSON file, which are what is signed. */
export function writeAudit(report: AuditReport): Uint8Array {
  return Buffer.from(`${JSON.stringify(check(report), null, 2)}\n`);
}

/** Throws `audit-invalid`, naming the field. */
export function readAudit(bytes: Uint8Array): AuditReport {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new TacetError('audit-invalid', 'the audit: expected JSON in UTF-8');
  }
  return check(value);
}
