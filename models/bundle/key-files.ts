import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory, writeDurably } from '../../platform/files/durable-file.js';
import { isThere } from '../../platform/files/is-there.js';
import { makeFolders } from '../../platform/files/make-folders.js';
import { writeFailure } from '../../platform/system-error.js';
import { keyIdOf } from '../../proto/dsse.js';
import { rawPublicKey } from '../../proto/ed25519-key.js';
import { TacetError } from '../../proto/errors.js';

export interface KeyFiles {
  readonly keyId: string;
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
}

const OTHERS = 0o077;
const MAX_KEY_FILE_BYTES = 16 * 1024;

/**
 * Makes an Ed25519 pair in `directory`: `private.pem` (PKCS #8, mode 0600) and `public.pem` (SPKI).
 * Throws `file-exists` rather than replace a key, and `disk-full` and the like, with neither of the two left.
 */
export async function createKeyFiles(directory: string): Promise<KeyFiles> {
  const privateKeyFile = join(directory, 'private.pem');
  const publicKeyFile = join(directory, 'public.pem');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  makeFolders(directory);
  for (const file of [privateKeyFile, publicKeyFile]) await requireAbsent(file);
  try {
    await writeDurably(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), 0o600);
    await writeDurably(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' })).catch(
      async (error: unknown) => {
        // Half a pair would be in the way of the next try.
        await rm(privateKeyFile);
        throw error;
      },
    );
    await syncDirectory(directory);
  } catch (error) {
    throw writeFailure(error, directory);
  }
  return { keyId: keyIdOf(publicKey), privateKeyFile, publicKeyFile };
}

/** Throws `key-invalid` where the file is no Ed25519 key or other users may read it. */
export async function readPrivateKey(file: string): Promise<KeyObject> {
  requirePrivate(file, await statKey(file));
  const pem = await readFile(file, 'utf8');
  return parseKey(file, pem, 'PRIVATE', createPrivateKey);
}

/** Throws `key-invalid` where the file is no Ed25519 public key, or one under which anyone can sign. */
export async function readPublicKey(file: string): Promise<KeyObject> {
  await statKey(file);
  const pem = await readFile(file, 'utf8');
  return parseKey(file, pem, 'PUBLIC', createPublicKey);
}

/**
 * The keys of several files. Throws `config-invalid` where two hold one key, which is one signer
 * however often it is named.
 */
export async function readDistinctPublicKeys(files: readonly string[]): Promise<KeyObject[]> {
  const keys = await Promise.all(files.map(readPublicKey));
  const ids = keys.map(keyIdOf);
  const second = ids.findIndex((id, i) => ids.indexOf(id) < i);
  if (second < 0) return keys;
  const first = ids.indexOf(ids[second] as string);
  throw new TacetError(
    'config-invalid',
    `${files[first]} and ${files[second]}: one key, ${ids[second]}; name each key once`,
  );
}

/** `createPublicKey` also takes a private key, hence the look at the PEM label. */
function parseKey(
  file: string,
  pem: string,
  kind: 'PUBLIC' | 'PRIVATE',
  parse: (pem: string) => KeyObject,
): KeyObject {
  const expected = `expected an Ed25519 ${kind.toLowerCase()} key in PEM, as tacet keys create makes`;
  if (!pem.trimStart().startsWith(`-----BEGIN ${kind} KEY-----`))
    throw new TacetError('key-invalid', `${file}: ${expected}`);
  let key: KeyObject;
  try {
    key = parse(pem);
  } catch {
    throw new TacetError('key-invalid', `${file}: the PEM is malformed; ${expected}`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new TacetError('key-invalid', `${file}: found ${key.asymmetricKeyType}; ${expected}`);
  try {
    rawPublicKey(key);
  } catch (cause) {
    throw new TacetError('key-invalid', `${file}: ${(cause as Error).message}`, { cause });
  }
  return key;
}

/** Throws `key-invalid` where other users may read a private key. */
export function requirePrivate(file: string, { mode }: { readonly mode: number }): void {
  if ((mode & OTHERS) === 0) return;
  throw new TacetError(
    'key-invalid',
    `${file}: other users may read this private key (mode ${(mode & 0o777).toString(8)}); ` +
      'run chmod 600 on it, or make a new key if others may have read it',
  );
}

/** Throws `file-not-found`, and `key-invalid` for what cannot be a key. */
export async function statKey(file: string): Promise<{ mode: number }> {
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new TacetError('file-not-found', `${file}: no such key file`);
  if (!found.isFile() || found.size > MAX_KEY_FILE_BYTES)
    throw new TacetError('key-invalid', `${file}: not a key file`);
  return found;
}

async function requireAbsent(file: string): Promise<void> {
  if (await isThere(file))
    throw new TacetError(
      'file-exists',
      `${file}: a key is there already; choose another directory`,
    );
}
