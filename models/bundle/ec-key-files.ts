import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { TacetError } from '../../proto/errors.js';
import { requirePrivate, statKey } from './key-files.js';

/** The curves of OpenSSF model signing, each with the hash that goes with it. */
const HASHES: Readonly<Record<string, string>> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
};
const EXPECTED = 'expected an ECDSA key on P-256, P-384 or P-521, in PEM without a password';

/** Throws `key-invalid` where the file is no such key or other users may read it. */
export async function readEcPrivateKey(file: string): Promise<KeyObject> {
  requirePrivate(file, await statKey(file));
  return parse(file, /^-----BEGIN (EC )?PRIVATE KEY-----/m, createPrivateKey);
}

/** Throws `key-invalid` where the file is no such public key. */
export async function readEcPublicKey(file: string): Promise<KeyObject> {
  await statKey(file);
  return parse(file, /^-----BEGIN PUBLIC KEY-----/m, createPublicKey);
}

/** The hash that a key signs with. Throws `key-invalid` for one on another curve. */
export function ecHashOf(key: KeyObject): string {
  const hash = HASHES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (hash !== undefined) return hash;
  throw new TacetError('key-invalid', EXPECTED);
}

async function parse(
  file: string,
  label: RegExp,
  read: (pem: string) => KeyObject,
): Promise<KeyObject> {
  const pem = await readFile(file, 'utf8');
  try {
    if (!label.test(pem)) throw new TacetError('key-invalid', EXPECTED);
    const key = read(pem);
    ecHashOf(key);
    return key;
  } catch {
    throw new TacetError('key-invalid', `${file}: ${EXPECTED}`);
  }
}
