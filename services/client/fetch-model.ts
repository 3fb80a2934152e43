import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { MODEL_SIGNATURE_FILE, SIGNATURE_FILE } from '../../models/bundle/bundle-files.js';
import { signedFiles, verifyBundle } from '../../models/bundle/verify.js';
import { createFolder } from '../../platform/files/durable-folder.js';
import { TacetError } from '../../proto/errors.js';
import { type Publication, parsePublication } from '../../proto/publication.js';
import type { ServiceClient } from './client.js';
import {
  type ModelReference,
  type RegisteredModel,
  registeredModel,
  requireNotRevoked,
} from './registered-model.js';

export interface FetchOptions {
  readonly trustedKeys: readonly KeyObject[];
  readonly signal?: AbortSignal | undefined;
}

/** Of a file with signatures, before anything is known of it. */
const MOST_SIGNATURE_BYTES = 4_000_000;

/**
 * Puts a bundle at `directory`, once all of it was verified against pinned keys: the registry is not
 * trusted with anything but its availability, the status of the model and what an alias means. The signature comes first,
 * and then what it names, so that nobody else fills the disk. Throws
 * `model-revoked`, `bundle-digest` where what arrived is not what was asked for, and whatever
 * `verifyBundle` throws; nothing is left behind then.
 */
export async function fetchModel(
  registry: ServiceClient,
  { name, version }: ModelReference,
  directory: string,
  { trustedKeys, signal }: FetchOptions,
): Promise<RegisteredModel> {
  const model: RegisteredModel & Partial<Publication> = await registeredModel(
    registry,
    { name, version },
    { signal },
  );
  requireNotRevoked(model);
  // Checked before any name in it becomes a path.
  const { digest, files } = parsePublication({ digest: model.digest, files: model.files });
  await createFolder(directory, async (building) => {
    const download = (file: string, mostBytes?: number) =>
      registry.downloadTo(join(building, file), files[file] as string, { mostBytes, signal });
    const signatures = [SIGNATURE_FILE, MODEL_SIGNATURE_FILE].filter((file) => file in files);
    for (const file of signatures) await download(file, MOST_SIGNATURE_BYTES);
    const requireSigned = await signedFiles(building, { trustedKeys });
    for (const [file, blob] of Object.entries(files)) requireSigned(file, blob);
    for (const file of Object.keys(files)) if (!signatures.includes(file)) await download(file);
    const found = await verifyBundle(building, { trustedKeys });
    const { manifest } = found;
    if (found.digest !== digest || manifest.name !== name || manifest.version !== model.version)
      throw new TacetError(
        'bundle-digest',
        `the registry gave ${manifest.name} ${manifest.version} with digest ${found.digest} ` +
          `for ${name} ${model.version} with digest ${digest}`,
      );
  });
  const { publisher, status, reason } = model;
  return { name, version: model.version, digest, publisher, status, reason };
}
