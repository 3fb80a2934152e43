import type { KeyObject } from 'node:crypto';
import type { AuditReport } from '../../models/attacks/audit.js';
import { readAudit } from '../../models/attacks/audit-file.js';
import type { Audit } from '../../pool-store/audits.js';
import { sign, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import type { ServiceClient } from '../http/client.js';
import { AUDIT_TYPE } from './audit-routes.js';

export interface ModelReference {
  readonly name: string;
  /** Or an alias. */
  readonly version: string;
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** Signs the bytes of an audit and attaches them to the model that they name. */
export function publishAudit(
  registry: ServiceClient,
  model: ModelReference,
  payload: Uint8Array,
  key: KeyObject,
  { signal }: Options = {},
): Promise<Audit> {
  const envelope = sign(AUDIT_TYPE, payload, key);
  return registry.json<Audit>('POST', pathOf(model), envelope, { signal });
}

/** An audit whose signature was verified here, whatever the registry says. */
export interface TrustedAudit {
  readonly id: string;
  readonly keyId: string;
  readonly attached: string;
  readonly report: AuditReport;
}

/**
 * The audits of a model that a trusted key signed, oldest first, and how many others there are.
 * Throws `audit-invalid` for a report about another model than the registry has it for.
 */
export async function fetchAudits(
  registry: ServiceClient,
  model: ModelReference,
  trustedKeys: readonly KeyObject[],
  { signal }: Options = {},
): Promise<{ audits: TrustedAudit[]; untrusted: number }> {
  const found = await registry.json<Audit[]>('GET', pathOf(model), undefined, { signal });
  const audits: TrustedAudit[] = [];
  for (const { id, attached, envelope, model: digest } of found) {
    const signed = verifiedBy(envelope, trustedKeys);
    if (!signed) continue;
    const report = readAudit(signed.payload);
    if (report.model !== digest)
      throw new TacetError('audit-invalid', `audit ${id} is of another model than ${digest}`);
    audits.push({ id, keyId: signed.keyIds[0], attached, report });
  }
  return { audits, untrusted: found.length - audits.length };
}

/** Nothing where no trusted key signed; a wrong signature by a trusted one is refused. */
function verifiedBy(envelope: Audit['envelope'], trustedKeys: readonly KeyObject[]) {
  try {
    return verify(envelope, AUDIT_TYPE, trustedKeys);
  } catch (error) {
    if (error instanceof TacetError && error.code === 'key-untrusted') return undefined;
    throw error;
  }
}

function pathOf({ name, version }: ModelReference): string {
  return `/v1/models/${encodeURIComponent(name)}/${encodeURIComponent(version)}/audits`;
}
