import { TacetError } from '../../proto/errors.js';
import { DIGEST, NAME, VERSION } from '../../proto/schemas.js';
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
  readonly status: 'published' | 'deprecated' | 'revoked';
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
      status: { type: 'string', enum: ['published', 'deprecated', 'revoked'] },
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
  const path = modelPath({ name, version });
  const model = checked(await registry.json('GET', path, undefined, options));
  if (model.name !== name || (isVersion(version) && model.version !== version))
    throw new TacetError(
      'bundle-digest',
      `asked for ${name} ${version}, the registry answered with ${model.name} ${model.version}`,
    );
  return model;
}

export function modelPath({ name, version }: ModelReference): string {
  return `/v1/models/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
}

/** Anything else is an alias: no registry takes one that looks like a version. */
export function isVersion(text: string): boolean {
  return new RegExp(VERSION.pattern).test(text);
}
