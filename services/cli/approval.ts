import path from 'node:path';
import { readPublicKey } from '../../models/bundle/key-files.js';
import type { Identity } from '../../pool-store/members/identities.js';
import { keyIdOf } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import type { ServiceClient } from '../client/client.js';
import { listIdentities } from '../client/identity.js';

/** What was signed with, and where it was sent. */
export interface SignedRequest {
  readonly keyId: string;
  /** The private key's file, where the command was given it; its public half is looked for beside it. */
  readonly privateKeyFile?: string;
  readonly server: string;
  readonly client: ServiceClient;
  readonly tokenFile?: string | undefined;
}

/**
 * Does `work`. Where the server does not accept the key that signed, the error `key-untrusted` says
 * what the server knows of that key, and the command that mends it.
 */
export async function explainingApproval<T>(
  work: () => Promise<T>,
  request: () => Promise<SignedRequest>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TacetError) || error.code !== 'key-untrusted') throw error;
    throw await approvalError(await request(), error);
  }
}

/** The error for a key that a server does not accept. */
export async function approvalError(request: SignedRequest, cause?: Error): Promise<TacetError> {
  const { keyId, server, client } = request;
  const known = await listIdentities(client).catch(() => []);
  const message = await advice(
    request,
    known.find((identity) => identity.keyId === keyId),
  );
  return new TacetError('key-untrusted', `${server}: key ${keyId} ${message}`, { cause });
}

async function advice(request: SignedRequest, identity: Identity | undefined): Promise<string> {
  const { keyId, server } = request;
  if (!identity)
    return `is not known there; ask for its approval: ${await requestCommand(request)}`;
  const { name, requested, approved, revoked } = identity;
  if (revoked !== null)
    return `of ${name} was revoked there on ${revoked.slice(0, 10)}; make another key with tacet keys create and ask for its approval`;
  if (approved !== null) return `is approved there for ${name}, whose token this is not`;
  return (
    `was asked for by ${name} on ${requested.slice(0, 10)} and is not approved yet; an administrator ` +
    `approves it: ${approvalCommand(keyId, server)}`
  );
}

async function requestCommand(request: SignedRequest): Promise<string> {
  const { server, tokenFile = 'YOUR.token' } = request;
  const key = (await publicKeyFile(request)) ?? 'PUBLIC.pem';
  return `tacet identity request --server ${server} --token-file ${tokenFile} --key ${key}`;
}

export function approvalCommand(keyId: string, server: string): string {
  return `tacet identity approve ${keyId} --server ${server} --token-file ADMIN.token`;
}

/** Where `tacet keys create` puts it, if it is there. */
async function publicKeyFile({ keyId, privateKeyFile }: SignedRequest) {
  if (privateKeyFile === undefined) return undefined;
  const file = path.join(path.dirname(privateKeyFile), 'public.pem');
  const key = await readPublicKey(file).catch(() => undefined);
  return key && keyIdOf(key) === keyId ? file : undefined;
}
