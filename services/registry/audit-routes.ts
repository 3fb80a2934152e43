import type { Store } from '../../pool-store/store.js';
import { ROLES } from '../../pool-store/tokens.js';
import { verify } from '../../proto/dsse.js';
import { parseEnvelope } from '../../proto/envelope-schema.js';
import { TacetError } from '../../proto/errors.js';
import { type Route, route } from '../http/route.js';

export const AUDIT_TYPE = 'application/vnd.tacet.audit+json';

const PATH = '/v1/models/{name}/{version}/audits';

export function auditRoutes({ models, audits, identities }: Store): Route[] {
  return [
    route({
      method: 'get',
      path: PATH,
      summary: 'The signed audits of a model',
      roles: ROLES,
      handle: ({ params }) => audits.of(models.get(params.name, params.version).digest),
    }),
    route({
      method: 'post',
      path: PATH,
      summary: 'Attach an audit that is signed by a key of the auditor',
      roles: ['auditor'],
      body: parseEnvelope,
      success: 201,
      handle: ({ params, body, token }) => {
        const { digest } = models.get(params.name, params.version);
        const { payload, keyIds } = verify(body, AUDIT_TYPE, identities.keysOf(token.name));
        requireModel(payload, digest);
        return audits.attach(digest, keyIds[0], body);
      },
    }),
  ];
}

/** An audit names, as `model`, the digest of the bundle it attacked. */
function requireModel(payload: Uint8Array, digest: string): void {
  if (modelOf(payload) === digest) return;
  throw new TacetError('request-invalid', `the audit is not JSON whose model is ${digest}`);
}

function modelOf(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'))?.model;
  } catch {
    return undefined;
  }
}
