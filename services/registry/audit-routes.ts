import { Type } from 'typebox';
import { readAudit } from '../../models/attacks/report/audit-file.js';
import { MEMBERS } from '../../pool-store/members/tokens.js';
import { AUDIT } from '../../pool-store/models/audits.js';
import type { Store } from '../../pool-store/store.js';
import { parseEnvelope, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { AUDIT_TYPE } from '../../proto/publication.js';
import { type Route, route } from '../http/route.js';

export function auditRoutes({ models, audits, identities }: Store): Route[] {
  return [
    route({
      method: 'get',
      path: PATHS.modelAudits,
      summary: 'The signed audits of a model',
      roles: MEMBERS,
      answer: { json: Type.Array(AUDIT) },
      handle: async ({ params }) => {
        const { digest } = await models.get(params.name, params.version);
        return audits.of(digest);
      },
    }),
    route({
      method: 'post',
      path: PATHS.modelAudits,
      summary: 'Attach an audit that is signed by a key of the auditor',
      roles: ['auditor'],
      body: parseEnvelope,
      success: 201,
      answer: { json: AUDIT },
      handle: async ({ params, body, token }) => {
        const { digest } = await models.get(params.name, params.version);
        const keys = await identities.keysOf(token.name);
        const { payload, keyIds } = verify(body, AUDIT_TYPE, keys);
        requireAuditOf(digest, payload);
        const [first] = await audits.attach(digest, keyIds, body);
        return first;
      },
    }),
  ];
}

/** Refuses a report that is malformed, of another model, or not of the bundle itself. */
function requireAuditOf(digest: string, payload: Uint8Array): void {
  const { model, attacked } = readAudit(payload);
  if (model !== digest)
    throw new TacetError('request-invalid', `the audit is of model ${model}, not of ${digest}`);
  if (attacked !== 'bundle')
    throw new TacetError(
      'audit-invalid',
      `the audit is of the ${attacked}; only audits of the bundle are attached`,
    );
}
