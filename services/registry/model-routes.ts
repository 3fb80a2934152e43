import { Type } from 'typebox';
import type { Model } from '../../pool-store/models.js';
import type { Store } from '../../pool-store/store.js';
import { MEMBERS } from '../../pool-store/tokens.js';
import { PATHS } from '../../proto/paths.js';
import { parsePublication } from '../../proto/publication.js';
import { NAME } from '../../proto/schemas.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { type Route, route } from '../http/route.js';
import { keepSignatures } from './countersigned.js';
import {
  aliasTarget,
  CHANGERS,
  changeStatus,
  requireOwner,
  setAlias,
  statusReason,
} from './model-changes.js';
import { checkPublication } from './publication-check.js';

const search = validator(
  closedObject({ search: Type.Optional(NAME) }),
  'request-invalid',
  'the query',
);

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
      roles: CHANGERS,
      body: aliasTarget,
      handle: ({ params: { name, alias }, body: { version }, token }) =>
        setAlias(store, { name, alias, version }, token),
    }),
  ];
}

function statusRoute(
  store: Store,
  path: string,
  status: 'deprecated' | 'revoked',
  summary: string,
): Route {
  return route({
    method: 'post',
    path,
    summary,
    roles: CHANGERS,
    body: statusReason,
    handle: ({ params: { name, version }, body, token }) =>
      changeStatus(store, { name, version, status, ...body }, token),
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
