import { Type } from 'typebox';
import type { Model } from '../../pool-store/models.js';
import type { Store } from '../../pool-store/store.js';
import { MEMBERS, type Token } from '../../pool-store/tokens.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { parsePublication } from '../../proto/publication.js';
import { isVersion, NAME } from '../../proto/schemas.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { type Route, route } from '../http/route.js';
import { keepSignatures } from './countersigned.js';
import { checkPublication } from './publication-check.js';

const search = validator(
  closedObject({ search: Type.Optional(NAME) }),
  'request-invalid',
  'the query',
);

const reason = validator(
  closedObject({ reason: Type.String({ minLength: 1, maxLength: 1000 }) }),
  'request-invalid',
  'the request',
);

const target = validator(closedObject({ version: NAME }), 'request-invalid', 'the request');

export function modelRoutes(store: Store): Route[] {
  const { models } = store;
  return [
    route({
      method: 'get',
      path: PATHS.models,
      summary: 'List published models',
      roles: MEMBERS,
      query: search,
      handle: ({ query }) => models.list(query.search),
    }),
    route({
      method: 'post',
      path: PATHS.models,
      summary: 'Publish an uploaded bundle that is signed by a key of the publisher',
      roles: ['provider'],
      body: parsePublication,
      success: 201,
      handle: async ({ body, token }) => {
        const manifest = await checkPublication(store, body, store.identities.keysOf(token.name));
        const { name, version } = manifest;
        requireOwner(models.list(name), name, token);
        const model = models.publish({ ...body, name, version, manifest, publisher: token.name });
        await keepSignatures(store, model, body);
        return model;
      },
    }),
    route({
      method: 'get',
      path: PATHS.model,
      summary: 'One model by version or alias, with its manifest and the digests of its files',
      roles: MEMBERS,
      handle: ({ params }) => describe(store, models.get(params.name, params.version)),
    }),
    statusRoute(store, PATHS.modelDeprecation, 'deprecated', 'Advise against a model'),
    statusRoute(
      store,
      PATHS.modelRevocation,
      'revoked',
      'Forbid a model for good; encoders refuse it',
    ),
    route({
      method: 'put',
      path: PATHS.modelAlias,
      summary: 'Make an alias mean a version from now on',
      roles: ['provider', 'admin'],
      body: target,
      handle: ({ params: { name, alias }, body: { version }, token }) => {
        requireOwner([models.get(name, version)], name, token);
        if (isVersion(alias))
          throw new TacetError('request-invalid', `${alias} would be taken for a version`);
        return models.setAlias(name, alias, version);
      },
    }),
  ];
}

function statusRoute(
  { models }: Store,
  path: string,
  status: 'deprecated' | 'revoked',
  summary: string,
): Route {
  return route({
    method: 'post',
    path,
    summary,
    roles: ['provider', 'admin'],
    body: reason,
    handle: ({ params: { name, version }, body, token }) => {
      requireOwner([models.get(name, version)], name, token);
      return models.setStatus(name, version, status, body.reason);
    },
  });
}

function describe({ models, audits }: Store, model: Model) {
  return {
    ...model,
    aliases: models.aliasesOf(model),
    audits: audits.of(model.digest).map(({ id, keyId, attached }) => ({ id, keyId, attached })),
    files: models.filesOf(model.digest),
    manifest: models.manifestOf(model.digest),
  };
}

/** A name belongs to whoever first published under it. Throws `forbidden`. */
function requireOwner(models: readonly Model[], name: string, token: Token): void {
  if (token.role === 'admin') return;
  const owner = models.find((model) => model.name === name)?.publisher ?? token.name;
  if (owner === token.name) return;
  throw new TacetError('forbidden', `the model name ${name} belongs to another provider`);
}
