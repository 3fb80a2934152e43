import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Readonly<Record<string, unknown>>;

/** An OpenID provider on loopback that asks nobody for a password. */
export interface AccountProvider {
  readonly issuer: string;
  /** What the next ID tokens say of whoever logs in. */
  claims: Claims;
  /** What is changed in them after all, such as an issuer that is not ours. */
  forged: Claims;
  close(): void;
}

export const CLIENT = { id: 'tacet', secret: 'secret-of-the-client' } as const;

interface Code {
  readonly challenge: string;
  readonly nonce: string;
}

export async function startAccountProvider(): Promise<AccountProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, Code>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: AccountProvider = {
    ...{ issuer, claims: {}, forged: {} },
    close: () => void server.close(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer);
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration')
      return json(200, {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, jwks_uri: `${issuer}/keys` },
        ...{ token_endpoint: `${issuer}/token`, response_types_supported: ['code'] },
        ...{ subject_types_supported: ['public'], code_challenge_methods_supported: ['S256'] },
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (url.pathname === '/keys')
      return json(200, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }],
      });
    if (url.pathname === '/authorize') {
      const asked = url.searchParams;
      const code = randomUUID();
      codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        nonce: asked.get('nonce') ?? '',
      });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      response.writeHead(302, { Location: back.href });
      response.end();
      return;
    }
    const form = new URLSearchParams(await text(request));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!code || challenge !== code.challenge) return json(400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const own = { iss: issuer, aud: CLIENT.id, sub: 'somebody', iat: now, exp: now + 60 };
    const claims = { ...own, nonce: code.nonce, ...provider.claims, ...provider.forged };
    json(200, { access_token: randomUUID(), token_type: 'Bearer', id_token: jwt(claims) });
  }

  /** RFC 7519, signed with RS256. */
  function jwt(claims: Claims): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256' })}.${part(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  return provider;
}
