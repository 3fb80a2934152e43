import { TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import type { ModelIdentity } from '../bundles/encoding-model.js';
import { checkModelStatus, type ModelStatus } from './model-status.js';
import type { Policy } from './policy.js';
import { requireAudit } from './required-audit.js';

/** What decides whether a verified model may be used. */
export interface ApprovalGrounds {
  /** Asked whether the model was revoked, and for its audits. */
  readonly registry?: ServiceClient | undefined;
  readonly policy?: Pick<Policy, 'audit' | 'requireRevocationCheck'> | undefined;
  /** Told of a registry that gave no answer; without it, that is an error. */
  readonly onSilence?: ((error: TacetError) => void) | undefined;
  /** Signed audits at hand, beside those of the registry. */
  readonly audits?: readonly unknown[] | undefined;
}

/**
 * Refuses a model that was revoked (`model-revoked`), of which the registry knows another bundle
 * (`bundle-digest`), whose audit is not within the policy (`model-unsuitable`), or of which nobody
 * can tell whether it was revoked though the policy demands it (`revocation-unknown`). Returns what
 * the registry says, if one was asked.
 */
export async function approveModel(
  model: ModelIdentity,
  { registry, onSilence, policy, audits = [] }: ApprovalGrounds,
  signal?: AbortSignal,
): Promise<ModelStatus | undefined> {
  const demanded = policy?.requireRevocationCheck ?? false;
  if (!registry && demanded)
    throw revocationUnknownError(
      model,
      'no registry was given to ask; give --registry and a token for it',
    );
  const status = registry && (await statusOf(model, { registry, onSilence, demanded }, signal));
  if (policy?.audit)
    requireAudit(model.digest, [...audits, ...(status?.audits ?? [])], policy.audit);
  return status;
}

async function statusOf(
  model: ModelIdentity,
  {
    registry,
    onSilence,
    demanded,
  }: Pick<ApprovalGrounds, 'onSilence'> & {
    readonly registry: ServiceClient;
    readonly demanded: boolean;
  },
  signal: AbortSignal | undefined,
): Promise<ModelStatus | undefined> {
  try {
    return await checkModelStatus(registry, model, signal);
  } catch (error) {
    if (!(error instanceof TacetError) || DECIDED.has(error.code)) throw error;
    if (!demanded) {
      if (!onSilence) throw error;
      onSilence(error);
      return undefined;
    }
    throw revocationUnknownError(model, `${error.code}: ${error.message}`, error);
  }
}

/** Errors that are not a registry's silence: it answered, or a person stopped the wait. */
const DECIDED: ReadonlySet<string> = new Set(['model-revoked', 'bundle-digest', 'interrupted']);

function revocationUnknownError(
  { name, version }: ModelIdentity,
  why: string,
  cause?: unknown,
): TacetError {
  return new TacetError(
    'revocation-unknown',
    `${name} ${version}: the policy demands to know whether it was revoked, and ${why}`,
    { cause },
  );
}
