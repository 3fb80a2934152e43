import type { KeyObject } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { sha256Hex } from '../../proto/digest.js';
import { keyIdOf, sign } from '../../proto/dsse.js';
import { MODEL_SIGNATURE_FILE, SIGNATURE_FILE } from './bundle-files.js';
import { writeModelSignature } from './model-signature.js';
import { readSignature, writeSignature } from './signature-file.js';
import { STATEMENT_PAYLOAD_TYPE } from './statement.js';
import { type Trust, verifyBundle } from './verify.js';

/**
 * Adds a signature to a bundle, in the place of an earlier one by the same key; the bundle's digest
 * stays. Nobody should sign what they cannot verify, so the bundle is verified first. Returns the ids
 * of all keys that signed. Throws as `verifyBundle` does, and `bundle-signature` where as many keys have signed as may.
 */
export async function countersignBundle(
  directory: string,
  privateKey: KeyObject,
  trust: Trust,
): Promise<string[]> {
  const { files } = await verifyBundle(directory, trust);
  const envelope = readSignature(files.get(SIGNATURE_FILE) as Uint8Array);
  const payload = Buffer.from(envelope.payload, 'base64');
  const own = sign(STATEMENT_PAYLOAD_TYPE, payload, privateKey).signatures;
  const others = envelope.signatures.filter(({ keyid }) => keyid !== keyIdOf(privateKey));
  const signatures = [...others, ...own];
  await replaceFile(directory, SIGNATURE_FILE, writeSignature({ ...envelope, signatures }));
  return signatures.map(({ keyid }) => keyid);
}

/**
 * Signs a bundle for others in `model.sig`, in the place of an earlier one. Throws as `verifyBundle` does, which
 * comes first.
 */
export async function signModel(
  directory: string,
  modelKey: KeyObject,
  trust: Trust,
): Promise<void> {
  const { manifest, files } = await verifyBundle(directory, trust);
  const digests = new Map([...files].map(([name, bytes]) => [name, sha256Hex(bytes)]));
  await replaceFile(
    directory,
    MODEL_SIGNATURE_FILE,
    writeModelSignature(manifest.name, digests, modelKey),
  );
}

/** Beside the bundle first: a file more in it would make it another bundle. */
async function replaceFile(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const target = resolve(directory);
  await writeAtomically(join(target, name), bytes, { draftIn: dirname(target) });
}
