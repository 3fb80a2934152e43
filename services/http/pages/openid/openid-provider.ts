import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Role } from '../../../../pool-store/members/tokens.js';
import { TacetError } from '../../../../proto/errors.js';
import { NAME } from '../../../../proto/schemas.js';
import { validator } from '../../../../proto/validator.js';
import { isLoopback } from '../../loopback.js';

/** How the people of a house log in with the accounts that they have (OpenID Connect Core 1.0). */
export interface OpenIdOptions {
  /** Address of the provider, as its tokens state it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of an ID token that says what its holder may do: a text, or a list of them. */
  readonly roleClaim: string;
  /** Which value of it gives which role; the first that somebody has counts. */
  readonly roles: readonly { readonly role: Role; readonly value: string }[];
  /** The claim that names the holder, for an institution the institution. */
  readonly nameClaim: string;
}

/** What a login that is under way must be met by when it comes back. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  /** Of the code challenge (RFC 7636). */
  readonly verifier: string;
}

/** Who logged in, by what the provider says of them. */
export interface OpenIdHolder {
  readonly name: string;
  readonly role: Role;
}

const SCOPE = 'openid profile';
const requireName = validator(NAME, 'forbidden', 'the name of this account');

/** The authorization code flow with PKCE; the provider's own description is asked for once, when it is first needed. */
export class OpenIdProvider {
  #configuration: Promise<Configuration> | undefined;

  constructor(private readonly options: OpenIdOptions) {}

  /** Where a browser is sent, and what its coming back is held to. Throws `server-unreachable`. */
  async begin(redirect: string): Promise<{ url: URL; pending: PendingLogin }> {
    const pending = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(await this.#configured(), {
      redirect_uri: redirect,
      scope: SCOPE,
      ...{ state: pending.state, nonce: pending.nonce },
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { url, pending };
  }

  /** Throws `unauthorized` where the answer is not one to `pending`, `forbidden` where it gives no role. */
  async finish(answer: URL, { state, nonce, verifier }: PendingLogin): Promise<OpenIdHolder> {
    const configuration = await this.#configured();
    const claims = await authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }).then(
      (tokens) => tokens.claims(),
      (cause: unknown) => {
        throw new TacetError('unauthorized', 'the provider did not confirm this login; try again', {
          cause,
        });
      },
    );
    return this.#holderOf(claims ?? {});
  }

  #holderOf(claims: Readonly<Record<string, unknown>>): OpenIdHolder {
    const { roleClaim, roles, nameClaim } = this.options;
    const values = [claims[roleClaim]].flat();
    const { role } = roles.find(({ value }) => values.includes(value)) ?? {};
    if (!role)
      throw new TacetError(
        'forbidden',
        `this account has no role here: none of the values of its claim ${roleClaim} gives one`,
      );
    return { name: requireName(claims[nameClaim]), role };
  }

  async #configured(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.options;
    const server = new URL(issuer);
    const execute = isLoopback(server.hostname) ? [allowInsecureRequests] : [];
    this.#configuration ??= discovery(server, clientId, clientSecret, undefined, { execute });
    try {
      return await this.#configuration;
    } catch (cause) {
      this.#configuration = undefined;
      throw new TacetError('server-unreachable', `${issuer} does not say how to log in there`, {
        cause,
      });
    }
  }
}
