import { MANIFEST_FILE, SIGNATURE_FILE } from '../../models/bundle/bundle-files.js';
import { readSignature } from '../../models/bundle/signature-file.js';
import { readStatement, STATEMENT_PAYLOAD_TYPE } from '../../models/bundle/statement.js';
import type { Model } from '../../pool-store/models/models.js';
import type { Store } from '../../pool-store/store.js';
import { type Envelope, keyIdOf, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { readText } from './bundle-text.js';

/** A signature of a bundle, as far as the registry can tell whose it is. */
export interface BundleSignature {
  readonly keyId: string;
  /** Whose approved key it is; undefined for one that this registry has not approved, or has revoked. */
  readonly name?: string | undefined;
  /** A key that nobody knows here proves nothing, and is `unchecked`. */
  readonly outcome: 'right' | 'wrong' | 'unchecked';
}

/** The signatures of a published bundle, each checked by itself. Throws where its file cannot be read. */
export async function signaturesOf(store: Store, model: Model): Promise<BundleSignature[]> {
  const files = await store.models.filesOf(model.digest);
  const envelope = readSignature(await readText(store, files, SIGNATURE_FILE));
  const found: BundleSignature[] = [];
  for (const signature of envelope.signatures)
    found.push(await checked(store, model, { ...envelope, signatures: [signature] }));
  return found;
}

async function checked(
  store: Store,
  { digest }: Model,
  envelope: Envelope,
): Promise<BundleSignature> {
  const [{ keyid: keyId }] = envelope.signatures;
  const name = await holderOf(store, keyId);
  if (name === undefined) return { keyId, outcome: 'unchecked' };
  const approved = await store.identities.keysOf(name);
  const keys = approved.filter((key) => keyIdOf(key) === keyId);
  try {
    const { payload } = verify(envelope, STATEMENT_PAYLOAD_TYPE, keys);
    const signed = readStatement(payload).get(MANIFEST_FILE);
    return { keyId, name, outcome: signed === digest ? 'right' : 'wrong' };
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    return { keyId, name, outcome: 'wrong' };
  }
}

/** By the registry's approved identities. */
export async function holderOf({ identities }: Store, keyId: string): Promise<string | undefined> {
  try {
    const { name, approved, revoked } = await identities.get(keyId);
    return approved === null || revoked !== null ? undefined : name;
  } catch (error) {
    if (error instanceof TacetError && error.code === 'not-found') return undefined;
    throw error;
  }
}
