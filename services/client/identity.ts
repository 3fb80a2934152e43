import type { KeyObject } from 'node:crypto';
import type { Identity } from '../../pool-store/members/identities.js';
import { keyIdOf } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

/**
 * Asks that a key may sign for `name`, by default the name of the client's token; the private key stays
 * where it is. Returns what the server knows of it, which may have been approved before.
 */
export async function requestIdentity(
  client: ServiceClient,
  name: string | undefined,
  publicKey: KeyObject,
): Promise<Identity> {
  const raw = Buffer.from(rawPublicKey(publicKey)).toString('base64');
  const identity = { name, publicKey: raw };
  const known = await client.json<Identity>('POST', PATHS.identities, identity);
  if (known.keyId === keyIdOf(publicKey)) return known;
  throw new TacetError(
    'server-failed',
    `asked for key ${keyIdOf(publicKey)}, was answered ${known.keyId}`,
  );
}

/** The keys that were asked for and approved at a server. */
export function listIdentities(
  client: ServiceClient,
  options: CallOptions = {},
): Promise<readonly Identity[]> {
  return client.list(PATHS.identities, options);
}

/** An administrator's word that a key is its holder's. */
export function approveIdentity(client: ServiceClient, keyId: string): Promise<Identity> {
  return client.json('POST', pathTo(PATHS.identityApproval, { id: keyId }));
}

/** An administrator's word that nothing which a key signs counts from now on, or that one which waits is not approved. */
export function revokeIdentity(client: ServiceClient, keyId: string): Promise<Identity> {
  return client.json('DELETE', pathTo(PATHS.identity, { id: keyId }));
}
