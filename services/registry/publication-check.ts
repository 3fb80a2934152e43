import type { KeyObject } from 'node:crypto';
import {
  MANIFEST_FILE,
  MODEL_SIGNATURE_FILE,
  SIGNATURE_FILE,
} from '../../models/bundle/bundle-files.js';
import { type Manifest, readManifest } from '../../models/bundle/manifest.js';
import { requireSameFiles as requireNamed } from '../../models/bundle/model-signature.js';
import { requirePublishable } from '../../models/bundle/publishable.js';
import { readSignature } from '../../models/bundle/signature-file.js';
import { readStatement, STATEMENT_PAYLOAD_TYPE } from '../../models/bundle/statement.js';
import type { Store } from '../../pool-store/store.js';
import { verify } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import type { Publication } from '../../proto/publication.js';
import { readText } from './bundle-text.js';

/**
 * The manifest of a bundle whose files were uploaded, signed by one of the publisher's keys, with
 * the same files in manifest, signature and publication. Throws `request-invalid`, `not-found`,
 * `bundle-invalid`, `model-unsuitable`, `bundle-digest`, `bundle-signature`, `signature-invalid` or `key-untrusted`.
 */
export async function checkPublication(
  store: Store,
  { digest, files }: Publication,
  publisherKeys: readonly KeyObject[],
): Promise<Manifest> {
  if (files[MANIFEST_FILE] !== digest) {
    throw new TacetError('request-invalid', `the digest is not that of ${MANIFEST_FILE}`);
  }
  for (const blob of Object.values(files)) await store.blobRecords.get(blob);
  const signature = readSignature(await readText(store, files, SIGNATURE_FILE));
  const { payload } = verify(signature, STATEMENT_PAYLOAD_TYPE, publisherKeys);
  requireSameFiles(
    'the signature',
    readStatement(payload),
    without(files, SIGNATURE_FILE, MODEL_SIGNATURE_FILE),
  );
  const manifest = readManifest(await readText(store, files, MANIFEST_FILE));
  requirePublishable(manifest);
  const listed = without(files, SIGNATURE_FILE, MODEL_SIGNATURE_FILE, MANIFEST_FILE);
  requireSameFiles('the manifest', new Map(Object.entries(manifest.files)), listed);
  if (files[MODEL_SIGNATURE_FILE] !== undefined) {
    const digests = new Map([...listed, [MANIFEST_FILE, digest]]);
    requireNamed(await readText(store, files, MODEL_SIGNATURE_FILE), digests);
  }
  return manifest;
}

function requireSameFiles(
  where: string,
  stated: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): void {
  for (const name of new Set([...stated.keys(), ...files.keys()])) {
    if (stated.get(name) === files.get(name)) continue;
    throw new TacetError(
      'bundle-digest',
      `${name}: ${where} states SHA-256 ${stated.get(name) ?? 'none'}, ` +
        `the publication ${files.get(name) ?? 'none'}`,
    );
  }
}

function without(files: Publication['files'], ...names: readonly string[]): Map<string, string> {
  return new Map(Object.entries(files).filter(([name]) => !names.includes(name)));
}
