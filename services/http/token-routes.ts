import { partOf } from '../../pool-store/catalog/listing.js';
import { NEW_TOKEN, type Role, TOKEN, TOKEN_SECRET } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { validator } from '../../proto/validator.js';
import { NO_CONTENT } from './answer.js';
import { answerPage, PAGE_HEADERS, pageQuery } from './list-page.js';
import { type Route, route } from './route.js';

/** Who makes and ends tokens. */
export const TOKEN_KEEPERS: readonly Role[] = ['admin'];

const newToken = validator(NEW_TOKEN, 'request-invalid', 'the token');

/** Administration of bearer tokens; a token's text is shown when it is made, and never again. */
export function tokenRoutes({ tokens }: Store): Route[] {
  const roles = TOKEN_KEEPERS;
  return [
    route({
      method: 'get',
      path: PATHS.tokens,
      summary: 'List tokens, without their secrets, oldest first, in pages',
      roles,
      query: pageQuery,
      answer: { json: Type.Array(TOKEN), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => partOf(part, (each) => tokens.list(each)),
          ({ created, id }) => ({ time: created, id }),
        ),
    }),
    route({
      method: 'post',
      path: PATHS.tokens,
      summary: 'Create a token',
      roles,
      body: newToken,
      success: 201,
      answer: { json: TOKEN_SECRET },
      handle: ({ body }) => tokens.create(body),
    }),
    route({
      method: 'post',
      path: PATHS.tokenRotation,
      summary: 'Give a token a new secret',
      roles,
      answer: { json: TOKEN_SECRET },
      handle: ({ params }) => tokens.rotate(params.id),
    }),
    route({
      method: 'delete',
      path: PATHS.token,
      summary: 'Revoke a token',
      roles,
      success: 204,
      answer: NO_CONTENT,
      handle: ({ params }) => tokens.revoke(params.id),
    }),
  ];
}
