import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import {
  listBundleFiles,
  MANIFEST_FILE,
  readBundleFile,
  SIGNATURE_FILE,
  sha256,
} from './bundle-files.js';
import { type Manifest, readManifest } from './manifest.js';
import { readSignature } from './signature-file.js';
import { readStatement, STATEMENT_PAYLOAD_TYPE } from './statement.js';

export interface VerifiedFiles {
  readonly manifest: Manifest;
  /** SHA-256 in hex of `manifest.json`, which names the digests of all other files. */
  readonly digest: string;
  /** Every file by name, the signature included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * The files of a bundle whose signature is by a pinned key and covers each of them. Throws
 * `bundle-signature`, `key-untrusted`, `bundle-digest` (with both digests), `bundle-file-missing`,
 * `bundle-file-extra`, `bundle-file-unsafe` or `bundle-invalid`.
 */
export async function verifyBundle(
  directory: string,
  { trustedKeys }: { readonly trustedKeys: readonly KeyObject[] },
): Promise<VerifiedFiles> {
  const names = await listBundleFiles(directory);
  if (!names.includes(SIGNATURE_FILE)) throw missing(directory, SIGNATURE_FILE);
  const signature = await readBundleFile(directory, SIGNATURE_FILE);
  const payload = verifySignature(directory, signature, trustedKeys);
  const digests = readStatement(payload);
  requireSameNames(directory, names, digests);

  const files = new Map<string, Uint8Array>([[SIGNATURE_FILE, signature]]);
  for (const [name, expected] of digests) {
    const bytes = await readBundleFile(directory, name);
    requireDigest(join(directory, name), expected, sha256(bytes));
    files.set(name, bytes);
  }
  const manifestBytes = files.get(MANIFEST_FILE);
  if (!manifestBytes) throw missing(directory, MANIFEST_FILE);
  const manifest = readManifest(manifestBytes);
  requireManifestAgrees(directory, manifest, digests);
  return { manifest, digest: sha256(manifestBytes), files };
}

/** What an unverified bundle claims, for `tacet bundle show` alone. */
export async function peekManifest(directory: string): Promise<Manifest> {
  const names = await listBundleFiles(directory);
  if (!names.includes(MANIFEST_FILE)) throw missing(directory, MANIFEST_FILE);
  return readManifest(await readBundleFile(directory, MANIFEST_FILE));
}

function verifySignature(
  directory: string,
  signature: Uint8Array,
  trustedKeys: readonly KeyObject[],
): Uint8Array {
  const where = join(directory, SIGNATURE_FILE);
  try {
    return verify(readSignature(signature), STATEMENT_PAYLOAD_TYPE, trustedKeys).payload;
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
    const code = error.code === 'key-untrusted' ? error.code : 'bundle-signature';
    throw new TacetError(code, `${where}: ${error.message}`, { cause: error });
  }
}

function requireSameNames(
  directory: string,
  names: readonly string[],
  digests: ReadonlyMap<string, string>,
): void {
  for (const name of digests.keys()) if (!names.includes(name)) throw missing(directory, name);
  for (const name of names) {
    if (name !== SIGNATURE_FILE && !digests.has(name))
      throw new TacetError(
        'bundle-file-extra',
        `${join(directory, name)}: not among the signed files`,
      );
  }
}

function requireManifestAgrees(
  directory: string,
  manifest: Manifest,
  digests: ReadonlyMap<string, string>,
): void {
  const where = join(directory, MANIFEST_FILE);
  for (const [name, signed] of digests) {
    if (name !== MANIFEST_FILE) requireDigest(`${where} on ${name}`, signed, manifest.files[name]);
  }
  if (Object.keys(manifest.files).length !== digests.size - 1)
    throw new TacetError('bundle-invalid', `${where}: names other files than the signature`);
}

function requireDigest(where: string, expected: string, found: string | undefined): void {
  if (found !== expected)
    throw new TacetError(
      'bundle-digest',
      `${where}: expected SHA-256 ${expected}, found ${found ?? 'none'}; fetch the bundle again`,
    );
}

function missing(directory: string, name: string): TacetError {
  return new TacetError('bundle-file-missing', `${join(directory, name)}: missing from the bundle`);
}
