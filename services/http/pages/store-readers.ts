import type { Request, Response } from 'express';
import { TacetError } from '../../../proto/errors.js';
import { requireRole, type TokenAccess } from '../token-access.js';
import { Cookie } from './cookie.js';
import type { OpenIdLogin } from './openid/openid-login.js';
import type { FormAction, Page, Reader } from './page.js';
import type { Login, Readers } from './readers.js';

/** Readers who hold a token of the store, each of a role; a revoked or expired one is logged out. */
export class StoreReaders implements Readers {
  readonly #cookie: Cookie;
  readonly login: Login;

  /** `service` names the cookie. */
  constructor(
    service: string,
    private readonly access: TokenAccess,
    openId?: OpenIdLogin,
  ) {
    const cookie = new Cookie({
      ...{ name: `tacet-${service}`, sameSite: 'Strict', proxies: access.proxies },
    });
    this.#cookie = cookie;
    this.login = {
      asks: 'Your token',
      async enter(text, request, response) {
        if (!(await access.holderOf(text, request, response)))
          throw new TacetError('unauthorized', 'this token is not valid, or not any more');
        cookie.set(text, request, response);
      },
      leave: (request, response) => cookie.clear(request, response),
      elsewhere: openId && {
        begin: (to, request, response) => openId.begin(to, request, response),
        async finish(request, response) {
          const { token, to } = await openId.finish(request, response);
          cookie.set(token, request, response);
          return to;
        },
      },
    };
  }

  async readerOf(request: Request, response: Response): Promise<Reader | undefined> {
    const text = this.#cookie.read(request);
    if (text === undefined) return undefined;
    const token = await this.access.holderOf(text, request, response);
    if (!token) this.#cookie.clear(request, response);
    return token && { name: token.name, token };
  }

  admit({ path, roles }: Pick<Page | FormAction, 'path' | 'roles'>, { token }: Reader): void {
    if (!roles || !token)
      throw new TacetError('internal', `${path} names no roles that may read it`);
    requireRole(roles, token);
  }
}
