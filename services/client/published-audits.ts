import type { KeyObject } from 'node:crypto';
import { readAudit } from '../../models/attacks/report/audit-file.js';
import type { AuditReport } from '../../models/attacks/report/audit-report.js';
import type { Audit } from '../../pool-store/models/audits.js';
import { sha256Hex } from '../../proto/digest.js';
import { sign, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import { AUDIT_TYPE } from '../../proto/publication.js';
import type { ServiceClient } from './client.js';
import { type ModelReference, registeredModel } from './registered-model.js';

/** A registry refuses who does not ask for pages where there are several. */
const PAGE_ROWS = 1000;

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
  return registry.json<Audit>('POST', pathTo(PATHS.modelAudits, model), envelope, { signal });
}

/** The audits of a model as the registry has them, oldest first, from all pages; no signature is verified. */
export function listAudits(
  registry: ServiceClient,
  model: ModelReference,
  options: Options = {},
): Promise<Audit[]> {
  return registry.list<Audit>(`${pathTo(PATHS.modelAudits, model)}?limit=${PAGE_ROWS}`, options);
}

/** An audit whose signatures were verified here, whatever the registry says. */
export interface TrustedAudit {
  readonly id: string;
  /** The trusted keys that signed this report. */
  readonly keyIds: readonly string[];
  /** When the first of them was attached. */
  readonly attached: string;
  readonly report: AuditReport;
}

export interface FoundAudits {
  /** Of the bundle that the reports are about, as the registry names it. */
  readonly digest: string;
  readonly audits: readonly TrustedAudit[];
  /** Signatures by other keys. */
  readonly untrusted: number;
}

/**
 * The audits of a model that a trusted key signed, oldest first, and how many others there are.
 * Throws `audit-invalid` for a report about another model than the registry has under that name,
 * `bundle-digest` where it has another model there than was asked for.
 */
export async function fetchAudits(
  registry: ServiceClient,
  model: ModelReference,
  trustedKeys: readonly KeyObject[],
  { signal }: Options = {},
): Promise<FoundAudits> {
  const registered = await registeredModel(registry, model, { signal });
  const { digest } = registered;
  const found = await listAudits(registry, registered, { signal });
  const audits = new Map<string, TrustedAudit>();
  let untrusted = 0;
  for (const { attached, envelope } of found) {
    const signed = verifiedBy(envelope, trustedKeys);
    if (!signed) {
      untrusted++;
      continue;
    }
    const id = sha256Hex(signed.payload);
    const report = readAudit(signed.payload);
    if (report.model !== digest)
      throw new TacetError('audit-invalid', `audit ${id} is of another model than ${digest}`);
    const known = audits.get(id);
    const keyIds = [...new Set([...(known?.keyIds ?? []), ...signed.keyIds])];
    audits.set(id, { id, attached, report, ...known, keyIds });
  }
  return { digest, audits: [...audits.values()], untrusted };
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
