import { TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import { PUBLICATION_STATUSES } from '../../proto/publication.js';
import { DIGEST, isVersion, NAME, VERSION } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { nullable, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

export interface ModelReference {
  readonly name: string;
  /** A version, or an alias such as `latest`. */
  readonly version: string;
}

const REGISTERED_MODEL = Type.Object({
  name: NAME,
  version: VERSION,
  digest: DIGEST,
  publisher: NAME,
  status: oneOf(PUBLICATION_STATUSES),
  /** Why it was deprecated or revoked. */
  reason: nullable(Type.String()),
});

/** What a registry says of a model. */
export type RegisteredModel = TypeOf<typeof REGISTERED_MODEL>;

const checked = validator(REGISTERED_MODEL, 'server-failed', "the registry's answer");

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
