import path from 'node:path';
import type { PolicyOutcome } from '../../../models/attacks/report/audit-facts.js';
import type { AuditReport } from '../../../models/attacks/report/audit-report.js';
import { keyIdOf } from '../../../proto/dsse.js';
import { type Policy, readPolicy } from '../../institution/approval/policy.js';
import { groundAgainst } from '../../institution/approval/required-audit.js';

/** A policy by which audits are judged for people who read them. */
export interface AuditJudge {
  /** The base name of its file. */
  readonly name: string;
  readonly policy: Policy;
}

/** Throws as `readPolicy` does; undefined where no file was named. */
export async function openAuditJudge(file: string | undefined): Promise<AuditJudge | undefined> {
  if (file === undefined) return undefined;
  return { name: path.basename(file), policy: await readPolicy(file) };
}

/** What the policy says of a report that the holders of `keyIds` signed, or that nobody has signed yet. */
export function policyOutcome(
  judge: AuditJudge | undefined,
  report: AuditReport,
  keyIds?: readonly string[],
): PolicyOutcome | undefined {
  if (!judge) return undefined;
  const {
    name,
    policy: { audit },
  } = judge;
  if (!audit) return { name, asksForAudit: false, against: undefined };
  const trusted = audit.auditorKeys.map(keyIdOf);
  const isTrusted = keyIds === undefined || keyIds.some((keyId) => trusted.includes(keyId));
  const against = isTrusted
    ? groundAgainst(report, audit)
    : 'no key that signed it is among the policy’s';
  return { name, asksForAudit: true, against };
}
