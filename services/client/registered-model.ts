import { TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import { PUBLICATION_STATUSES, type PublicationStatus } from '../../proto/publication.js';
import { DIGEST, isVersion, NAME, VERSION } from '../../proto/schemas.js';
import { validator } from '../../proto/validator.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

export interface ModelReference {
  readonly name: string;
  /** A version, or an alias such as `latest`. */
  readonly version: string;
}

/** What a registry says of a model. */
export interface RegisteredModel extends ModelReference {
  readonly digest: string;
  readonly publisher: string;
  readonly status: PublicationStatus;
  /** Why it was deprecated or revoked. */
  readonly reason: string | null;
}

const checked = validator<RegisteredModel>(
  {
    type: 'object',
    required: ['name', 'version', 'digest', 'publisher', 'status', 'reason'],
    properties: {
      name: NAME,
      version: VERSION,
      digest: DIGEST,
      publisher: NAME,
      status: { type: 'string', enum: PUBLICATION_STATUSES },
      reason: { type: 'string', nullable: true },
    },
  },
  'server-failed',
  "the registry's answer",
);

/**
 * Asks a registry for a model. What it answers is of the name and version that were asked for, though
 * no more than its word; an alias means the version that it says. Throws `bundle-digest` where it
 * answers with another model.
 */
export async function registeredModel(
  registry: ServiceClient,
  { name, version }: ModelReference,
  options: CallOptions,
): Promise<RegisteredModel> {
  const path = pathTo(PATHS.model, { name, version });
  const model = checked(await registry.json('GET', path, undefined, options));
  if (model.name !== name || (isVersion(version) && model.version !== version))
    throw new TacetError(
      'bundle-digest',
      `asked for ${name} ${version}, the registry answered with ${model.name} ${model.version}`,
    );
  return model;
}

/** Throws `model-revoked`. */
export function requireNotRevoked({
  name,
  version,
  publisher,
  status,
  reason,
}: RegisteredModel): void {
  if (status !== 'revoked') return;
  throw new TacetError(
    'model-revoked',
    `${name} ${version} was revoked by ${publisher}: ${reason ?? 'no reason'}; fetch another model`,
  );
}
