import type { Request, Response } from 'express';
import { SESSION_MS } from '../../../../pool-store/members/session-id.js';
import type { Tokens } from '../../../../pool-store/members/tokens.js';
import { TacetError } from '../../../../proto/errors.js';
import { Type } from '../../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../../proto/typed-schema.js';
import { validator } from '../../../../proto/validator.js';
import { clientAddress, limitedBy, type Proxies } from '../../client-address.js';
import { ownOrigin } from '../../own-origin.js';
import { RateLimit } from '../../rate-limit.js';
import { Cookie } from '../cookie.js';
import type { OpenIdProvider } from './openid-provider.js';

const LOGIN_SECONDS = 600;
const ATTEMPTS_PER_MINUTE = 60;

const PENDING = closedObject({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  /** Where to go on. */
  to: Type.String(),
});
type Pending = TypeOf<typeof PENDING>;
const parsePending = validator(PENDING, 'unauthorized', 'the login');

/** Where the provider sends a browser back to. */
export const CALLBACK = '/login/back';

/** Logging in elsewhere: what comes of it is a token of the store like any other, which expires. */
export class OpenIdLogin {
  readonly #pending: Cookie;
  /** By address: each asks the provider something. */
  readonly #attempts = new RateLimit({ perMinute: ATTEMPTS_PER_MINUTE, of: 'attempts to log in' });

  constructor(
    private readonly provider: OpenIdProvider,
    private readonly tokens: Tokens,
    service: string,
    private readonly proxies: Proxies,
  ) {
    // Lax: the provider's page is what leads back here.
    this.#pending = new Cookie({
      ...{ name: `tacet-${service}-login`, sameSite: 'Lax', seconds: LOGIN_SECONDS, proxies },
    });
  }

  /** Where the browser is to go. */
  async begin(to: string, request: Request, response: Response): Promise<string> {
    this.#countAttempt(request, response);
    const { url, pending } = await this.provider.begin(
      `${ownOrigin(request, this.proxies)}${CALLBACK}`,
    );
    const value: Pending = { ...pending, to };
    this.#pending.set(JSON.stringify(value), request, response);
    return url.href;
  }

  /** The token of whoever came back, and where they wanted to be. Throws `unauthorized` or `forbidden`. */
  async finish(request: Request, response: Response): Promise<{ token: string; to: string }> {
    const { to, ...pending } = parsePending(jsonOf(this.#pending.read(request)));
    this.#pending.clear(request, response);
    this.#countAttempt(request, response);
    const answer = new URL(request.originalUrl, ownOrigin(request, this.proxies));
    const holder = await this.provider.finish(answer, pending);
    const expires = new Date(Date.now() + SESSION_MS).toISOString();
    const { token } = await this.tokens.create({ ...holder, expires });
    return { token, to };
  }

  #countAttempt(request: Request, response: Response): void {
    this.#attempts.take(limitedBy(clientAddress(request, this.proxies)), response);
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw new TacetError('unauthorized', 'no login is under way in this browser; begin again');
  }
}
