import { MEMBERS } from '../../pool-store/members/tokens.js';
import { AUDIT } from '../../pool-store/models/audits.js';
import { MODEL, type Model } from '../../pool-store/models/models.js';
import type { Store } from '../../pool-store/store.js';
import { PATHS } from '../../proto/paths.js';
import { parsePublication } from '../../proto/publication.js';
import { DIGEST, NAME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, mapOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';
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

const { id, keyId, attached } = AUDIT.properties;

const MODEL_DETAILS = closedObject(
  {
    ...MODEL.properties,
    aliases: Type.Array(NAME),
    audits: Type.Array(closedObject({ id, keyId, attached })),
    /** SHA-256 of each file of the bundle, by its path. */
    files: mapOf(DIGEST),
    /** `manifest.json` as it was signed. */
    manifest: Type.Unknown(),
  },
  { title: 'ModelDetails' },
);

export function modelRoutes(store: Store, limits: Pick<Limits, 'reserveBytes'>): Route[] {
  const { models } = store;
  return [
    route({
      method: 'get',
      path: PATHS.models,
      summary: 'List published models',
      roles: MEMBERS,
      query: search,
      answer: { json: Type.Array(MODEL) },
      handle: ({ query }) => models.list(query.search),
    }),
    route({
      method: 'post',
      path: PATHS.models,
      summary: 'Publish an uploaded bundle that is signed by a key of the publisher',
      roles: ['provider'],
      body: parsePublication,
      success: 201,
      answer: { json: MODEL },
      handle: async ({ body, token }) => {
        const keys = await store.identities.keysOf(token.name);
        const manifest = await checkPublication(store, body, keys);
        const { name, version } = manifest;
        requireOwner(await models.list(name), name, token);
        const publisher = token.name;
        const published = { ...body, name, version, manifest, publisher };
        const model = await models.publish(published, () => requireReserve(store, limits));
        await keepSignatures(store, model, body);
        return model;
      },
    }),
    route({
      method: 'get',
      path: PATHS.model,
      summary: 'One model by version or alias, with its manifest and the digests of its files',
      roles: MEMBERS,
      answer: { json: MODEL_DETAILS },
      handle: async ({ params }) => describe(store, await models.get(params.name, params.version)),
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
      answer: { json: MODEL },
      handle: ({ params: { name, alias }, body: { version }, token }) =>
        setAlias(store, { name, alias, version }, token, limits),
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
    answer: { json: MODEL },
    handle: ({ params: { name, version }, body, token }) =>
      changeStatus(store, { name, version, status, ...body }, token),
  });
}

async function describe(
  { models, audits }: Store,
  model: Model,
): Promise<TypeOf<typeof MODEL_DETAILS>> {
  return {
    ...model,
    aliases: await models.aliasesOf(model),
    audits: await audits.signaturesOf(model.digest),
    files: await models.filesOf(model.digest),
    manifest: await models.manifestOf(model.digest),
  };
}
