/** What may change of a published model, and who may change it, for programs and for people alike. */

import type { Role, Token } from '../../pool-store/members/tokens.js';
import { type Model, ownedByAnother } from '../../pool-store/models/models.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { isVersion, NAME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { requireReserve } from '../http/upload-admission.js';

/** Whose tokens may change a model at all; a provider only those under a name of its own. */
export const CHANGERS: readonly Role[] = ['provider', 'admin'];

/** Of characters. */
export const LONGEST_REASON = 1000;

export const statusReason = validator(
  closedObject({ reason: Type.String({ minLength: 1, maxLength: LONGEST_REASON }) }),
  'request-invalid',
  'the request',
);

export const aliasTarget = validator(
  closedObject({ version: NAME }),
  'request-invalid',
  'the request',
);

interface StatusChange {
  readonly name: string;
  readonly version: string;
  readonly status: 'deprecated' | 'revoked';
  /** Why, for everyone who asks for the model. */
  readonly reason: string;
}

/** Throws `not-found`, `forbidden`, and `conflict` where a revoked model would be less than that. */
export async function changeStatus(
  { models }: Store,
  { name, version, status, reason }: StatusChange,
  token: Token,
): Promise<Model> {
  requireOwner([await models.get(name, version)], name, token);
  return models.setStatus(name, version, status, reason);
}

interface AliasChange {
  readonly name: string;
  readonly alias: string;
  readonly version: string;
}

/**
 * Throws `not-found`, `forbidden`, `request-invalid` for what looks like a version, `conflict`, and `store-full` where the disk
 * has its reserve alone.
 */
export async function setAlias(
  store: Store,
  { name, alias, version }: AliasChange,
  token: Token,
  limits: Pick<Limits, 'reserveBytes'>,
): Promise<Model> {
  const { models } = store;
  requireOwner([await models.get(name, version)], name, token);
  if (isVersion(alias))
    throw new TacetError('request-invalid', `${alias} would be taken for a version`);
  return models.setAlias(name, alias, version, () => requireReserve(store, limits));
}

/** A name belongs to whoever first published under it. Throws `forbidden`. */
export function requireOwner(models: readonly Model[], name: string, token: Token): void {
  if (isOwner(models, name, token)) return;
  throw ownedByAnother(name);
}

/** Whether a token may change a model, so that nobody is offered what would be refused. */
export function mayChange(model: Model, token: Token): boolean {
  return CHANGERS.includes(token.role) && isOwner([model], model.name, token);
}

function isOwner(models: readonly Model[], name: string, token: Token): boolean {
  if (token.role === 'admin') return true;
  const owner = models.find((model) => model.name === name)?.publisher ?? token.name;
  return owner === token.name;
}
