import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { sha256Hex } from '../../proto/digest.js';
import { keyIdOf, type Verified, verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import {
  listBundleFiles,
  MANIFEST_FILE,
  MODEL_SIGNATURE_FILE,
  readBundleFile,
  SIGNATURE_FILE,
} from './bundle-files.js';
import { type Manifest, readManifest } from './manifest.js';
import { requireSameFiles, verifyModelSignature } from './model-signature.js';
import { readSignature } from './signature-file.js';
import { readStatement, STATEMENT_PAYLOAD_TYPE } from './statement.js';

const SIGNATURES = [SIGNATURE_FILE, MODEL_SIGNATURE_FILE];

/** Whose signatures a bundle needs. */
export interface Trust {
  readonly trustedKeys: readonly KeyObject[];
  /** Whether any one of the trusted keys must have signed, as by default, or each of them. */
  readonly signedBy?: 'any' | 'all' | undefined;
  /** An ECDSA key by which `model.sig` must be as well. */
  readonly modelKey?: KeyObject | undefined;
}

export interface VerifiedFiles {
  readonly manifest: Manifest;
  /** SHA-256 in hex of `manifest.json`, which names the digests of all other files. */
  readonly digest: string;
  /** The trusted keys that signed. */
  readonly keyIds: readonly string[];
  /** Every file by name, the signature included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * The files of a bundle whose signatures are by pinned keys and cover each of them. Throws
 * `bundle-signature`, `key-untrusted`, `bundle-digest` (with both digests), `bundle-file-missing`,
 * `bundle-file-extra`, `bundle-file-unsafe` or `bundle-invalid`.
 */
export async function verifyBundle(directory: string, trust: Trust): Promise<VerifiedFiles> {
  const names = await listBundleFiles(directory);
  const { signature, digests, keyIds } = await readSigned(directory, trust, names);
  requireSameNames(directory, names, digests);

  const files = new Map<string, Uint8Array>([[SIGNATURE_FILE, signature]]);
  // The manifest first: it tells another bundle's signature from a file that was changed.
  const inOrder = [...digests].sort(([name]) => (name === MANIFEST_FILE ? -1 : 1));
  for (const [name, expected] of inOrder) {
    const bytes = await readBundleFile(directory, name);
    if (name === MANIFEST_FILE) requireOwnSignature(directory, bytes, digests);
    requireDigest(join(directory, name), expected, sha256Hex(bytes));
    files.set(name, bytes);
  }
  if (trust.modelKey && !names.includes(MODEL_SIGNATURE_FILE))
    throw missing(directory, MODEL_SIGNATURE_FILE);
  if (names.includes(MODEL_SIGNATURE_FILE)) {
    const bytes = await readBundleFile(directory, MODEL_SIGNATURE_FILE);
    requireSameFiles(bytes, digests);
    if (trust.modelKey) verifyModelSignature(bytes, trust.modelKey);
    files.set(MODEL_SIGNATURE_FILE, bytes);
  }
  const manifestBytes = files.get(MANIFEST_FILE);
  if (!manifestBytes) throw missing(directory, MANIFEST_FILE);
  const manifest = readManifest(manifestBytes);
  requireManifestAgrees(directory, manifest, digests);
  return { manifest, digest: sha256Hex(manifestBytes), keyIds, files };
}

/**
 * Whether a file of a bundle that is still to come, by its name and its digest, is one that was signed: asked of the
 * signature alone, which has come. Throws as `verifyBundle` throws for it, and `bundle-digest` or `bundle-file-extra` for
 * the file.
 */
export async function signedFiles(
  directory: string,
  trust: Trust,
): Promise<(name: string, digest: string) => void> {
  const { digests } = await readSigned(directory, trust, await listBundleFiles(directory));
  return (name, digest) => {
    if (SIGNATURES.includes(name)) return;
    const expected = digests.get(name);
    if (expected === undefined) throw unsigned(directory, name);
    requireDigest(join(directory, name), expected, digest);
  };
}

/** What an unverified bundle claims, and which keys it claims to be signed by; to be shown alone. */
export async function peekBundle(
  directory: string,
): Promise<{ readonly manifest: Manifest; readonly signers: readonly string[] }> {
  const names = await listBundleFiles(directory);
  for (const name of [MANIFEST_FILE, SIGNATURE_FILE])
    if (!names.includes(name)) throw missing(directory, name);
  const manifest = readManifest(await readBundleFile(directory, MANIFEST_FILE));
  const { signatures } = readSignature(await readBundleFile(directory, SIGNATURE_FILE));
  return { manifest, signers: signatures.map(({ keyid }) => keyid) };
}

async function readSigned(directory: string, trust: Trust, names: readonly string[]) {
  if (!names.includes(SIGNATURE_FILE)) throw missing(directory, SIGNATURE_FILE);
  const signature = await readBundleFile(directory, SIGNATURE_FILE);
  const { payload, keyIds } = verifySignatures(directory, signature, trust);
  return { signature, digests: readStatement(payload), keyIds };
}

function verifySignatures(
  directory: string,
  signature: Uint8Array,
  { trustedKeys, signedBy = 'any' }: Trust,
): Verified {
  const where = join(directory, SIGNATURE_FILE);
  try {
    const verified = verify(readSignature(signature), STATEMENT_PAYLOAD_TYPE, trustedKeys);
    const absent = trustedKeys.map(keyIdOf).filter((keyId) => !verified.keyIds.includes(keyId));
    if (signedBy === 'any' || absent.length === 0) return verified;
    throw new TacetError(
      'key-untrusted',
      `every trusted key must sign; these have not: ${absent.join(', ')}`,
    );
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
    if (!SIGNATURES.includes(name) && !digests.has(name)) throw unsigned(directory, name);
  }
}

/**
 * Refuses with `bundle-signature` where the manifest names other digests than the signature for more
 * files than one damage could touch: both may be genuine, and belong to two bundles.
 */
function requireOwnSignature(
  directory: string,
  manifest: Uint8Array,
  digests: ReadonlyMap<string, string>,
): void {
  if (sha256Hex(manifest) === digests.get(MANIFEST_FILE)) return;
  const stated = filesOf(manifest);
  const others = Object.entries(stated).filter(([name, own]) => digests.get(name) !== own);
  if (others.length < 2) return;
  throw new TacetError(
    'bundle-signature',
    `${join(directory, SIGNATURE_FILE)}: the signature of another bundle; fetch the bundle again`,
  );
}

/** What a manifest that may be broken says of files. */
function filesOf(manifest: Uint8Array): Manifest['files'] {
  try {
    return readManifest(manifest).files;
  } catch {
    return {};
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

function unsigned(directory: string, name: string): TacetError {
  return new TacetError(
    'bundle-file-extra',
    `${join(directory, name)}: not among the signed files`,
  );
}

function missing(directory: string, name: string): TacetError {
  return new TacetError('bundle-file-missing', `${join(directory, name)}: missing from the bundle`);
}
