import { partOf } from '../../pool-store/catalog/listing.js';
import { IDENTITY } from '../../pool-store/members/identities.js';
import { MEMBERS, type Role } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { base64, NAME } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from './limits.js';
import { answerPage, PAGE_HEADERS, pageQuery } from './list-page.js';
import { type Route, route } from './route.js';
import { requireReserve } from './upload-admission.js';

/** Who says that a key is its holder's, and that it is not any more. */
export const APPROVERS: readonly Role[] = ['admin'];

const identityRequest = validator(
  closedObject({
    /** By default that of the token. */
    name: Type.Optional(NAME),
    /** The 32 raw bytes of an Ed25519 public key, in base64. */
    publicKey: base64(100),
  }),
  'request-invalid',
  'the identity',
);

/** Public keys: anyone asks for a key under the own name, an administrator approves. */
export function identityRoutes(
  store: Store,
  limits: Pick<Limits, 'waitingKeys' | 'reserveBytes'>,
): Route[] {
  const { identities } = store;
  return [
    route({
      method: 'get',
      path: PATHS.identities,
      summary: 'List the keys that were asked for, oldest first, in pages',
      roles: MEMBERS,
      query: pageQuery,
      answer: { json: Type.Array(IDENTITY), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => partOf(part, (each) => identities.list(each)),
          ({ requested, keyId }) => ({ time: requested, id: keyId }),
        ),
    }),
    route({
      method: 'post',
      path: PATHS.identities,
      summary: 'Ask that a key may sign for a name; an administrator approves it at once',
      roles: MEMBERS,
      body: identityRequest,
      success: 201,
      answer: { json: IDENTITY },
      handle: async ({ token, body: { publicKey, name = token.name } }) => {
        const key = Buffer.from(publicKey, 'base64');
        const admit = () => requireReserve(store, limits);
        if (token.role === 'admin') return identities.register(name, key, admit);
        if (token.name !== name) {
          throw new TacetError('forbidden', 'a token asks for keys under its own name alone');
        }
        return identities.request(name, key, limits.waitingKeys, admit);
      },
    }),
    route({
      method: 'post',
      path: PATHS.identityApproval,
      summary: 'Approve a key',
      roles: APPROVERS,
      answer: { json: IDENTITY },
      handle: ({ params }) => identities.approve(params.id),
    }),
    route({
      method: 'delete',
      path: PATHS.identity,
      summary:
        'Revoke a key for good: nothing that it signs is accepted from now on; or refuse one that waits for approval',
      roles: APPROVERS,
      answer: { json: IDENTITY },
      handle: ({ params }) => identities.end(params.id),
    }),
  ];
}
