import { TacetError } from '../../../proto/errors.js';
import type { ServiceClient } from '../../client/client.js';
import { listAudits } from '../../client/published-audits.js';
import {
  type RegisteredModel,
  registeredModel,
  requireNotRevoked,
} from '../../client/registered-model.js';
import type { ModelIdentity } from '../bundles/encoding-model.js';

/** A model of a registry, with the audits attached to it. */
export interface ModelStatus extends RegisteredModel {
  readonly audits: readonly unknown[];
}

/**
 * What the registry says of a model today. Throws `model-revoked`, and `bundle-digest` where the
 * registry knows another bundle under that name and version.
 */
export async function checkModelStatus(
  registry: ServiceClient,
  { name, version, digest }: ModelIdentity,
  signal?: AbortSignal,
): Promise<ModelStatus> {
  const model = await registeredModel(registry, { name, version }, { signal });
  requireNotRevoked(model);
  if (model.digest !== digest)
    throw new TacetError(
      'bundle-digest',
      `${name} ${version} has digest ${model.digest} in the registry, ${digest} here; fetch it again`,
    );
  const audits = await listAudits(registry, model, { signal });
  return { ...model, audits: audits.map(({ envelope }) => envelope) };
}
