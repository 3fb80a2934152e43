import type { KeyObject } from 'node:crypto';
import type { ServiceClient } from './client.js';

/** Asks that a key may sign for `name`; the private key stays where it is. Returns the key's id. */
export async function requestIdentity(
  client: ServiceClient,
  name: string,
  publicKey: KeyObject,
): Promise<string> {
  const { x } = publicKey.export({ format: 'jwk' });
  const raw = Buffer.from(x ?? '', 'base64url').toString('base64');
  const identity = { name, publicKey: raw };
  const { keyId } = await client.json<{ keyId: string }>('POST', '/v1/identities', identity);
  return keyId;
}
