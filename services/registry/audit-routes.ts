import { readAudit } from '../../models/attacks/report/audit-file.js';
import { MEMBERS } from '../../pool-store/members/tokens.js';
import { AUDIT, auditPlace } from '../../pool-store/models/audits.js';
import type { Store } from '../../pool-store/store.js';
import { parseEnvelope, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { AUDIT_TYPE } from '../../proto/publication.js';
import { Type } from '../../proto/typebox.js';
import type { Limits } from '../http/limits.js';
import { answerPage, PAGE_HEADERS, pageQuery } from '../http/list-page.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';

/** On a page, of all envelopes together: a client reads 64 MB of an answer. */
const LISTED_CHARACTERS = 16_000_000;

export function auditRoutes(
  store: Store,
  limits: Pick<Limits, 'modelAudits' | 'reserveBytes'>,
): Route[] {
  const { models, audits, identities } = store;
  return [
    route({
      method: 'get',
      path: PATHS.modelAudits,
      summary:
        'The signed audits of a model, oldest first, in pages; refused without limit and cursor where there are several',
      roles: MEMBERS,
      query: pageQuery,
      answer: { json: Type.Array(AUDIT), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          async (part) => {
            const { digest } = await models.get(call.params.name, call.params.version);
            const page = await audits.part(digest, part, LISTED_CHARACTERS);
            if (page.isMore) requirePaging(call.query);
            return page;
          },
          auditPlace,
        ),
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
        const [first] = await audits.attach(digest, keyIds, body, limits.modelAudits, () =>
          requireReserve(store, limits),
        );
        return first;
      },
    }),
  ];
}

/** Who took a page for all audits would approve a model that those on the next one speak against. */
function requirePaging({ limit, cursor }: ReturnType<typeof pageQuery>): void {
  if (limit !== undefined || cursor !== undefined) return;
  throw new TacetError(
    'request-invalid',
    'the model has more audits than one answer holds; ask for ?limit=1000 and follow the Link of each page, or bring the ' +
      'program that asks to a version that does',
  );
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
