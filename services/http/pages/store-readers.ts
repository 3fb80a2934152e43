import type { Request, Response } from 'express';
import type { Sessions } from '../../../pool-store/members/sessions.js';
import { TacetError } from '../../../proto/errors.js';
import { requireRole, type TokenAccess } from '../token-access.js';
import { Cookie } from './cookie.js';
import type { OpenIdLogin } from './openid/openid-login.js';
import type { FormAction, Page, Reader } from './page.js';
import type { Login, Readers } from './readers.js';

/** How readers of a store's pages become known, and stay so. */
export interface StoreLogins {
  readonly access: TokenAccess;
  readonly sessions: Sessions;
  readonly openId?: OpenIdLogin | undefined;
}

/**
 * Readers who hold a token of the store, each of a role. Other services of the host are sent the cookie as well, whatever
 * their port (RFC 6265, section 8.5): it holds the id of a session, never the token.
 */
export class StoreReaders implements Readers {
  readonly #cookie: Cookie;
  readonly login: Login;

  /** `service` names the cookie, and whose pages a session opens. */
  constructor(
    private readonly service: string,
    private readonly logins: StoreLogins,
  ) {
    const { access, sessions, openId } = logins;
    const cookie = new Cookie({
      ...{ name: `tacet-${service}`, sameSite: 'Strict', proxies: access.proxies },
    });
    this.#cookie = cookie;
    const enter = async (token: string, request: Request, response: Response) =>
      cookie.set(await sessions.begin(service, token), request, response);
    this.login = {
      asks: 'Your token',
      async enter(text, request, response) {
        if (!(await access.holderOf(text, request, response)))
          throw new TacetError('unauthorized', 'this token is not valid, or not any more');
        await enter(text, request, response);
      },
      async leave(request, response) {
        // First: a browser that has forgotten its session cannot ask again to end it.
        await sessions.end(service, cookie.read(request) ?? '');
        cookie.clear(request, response);
      },
      elsewhere: openId && {
        begin: (to, request, response) => openId.begin(to, request, response),
        async finish(request, response) {
          const { token, to } = await openId.finish(request, response);
          await enter(token, request, response);
          return to;
        },
      },
    };
  }

  async readerOf(request: Request, response: Response): Promise<Reader | undefined> {
    const id = this.#cookie.read(request);
    if (id === undefined) return undefined;
    const { access, sessions } = this.logins;
    const token = access.counted(await sessions.find(this.service, id), request, response);
    if (!token) this.#cookie.clear(request, response);
    return token && { name: token.name, token };
  }

  admit({ path, roles }: Pick<Page | FormAction, 'path' | 'roles'>, { token }: Reader): void {
    if (!roles || !token)
      throw new TacetError('internal', `${path} names no roles that may read it`);
    requireRole(roles, token);
  }
}
