import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createFolder } from '../../models/bundle/durable.js';
import { verifyBundle } from '../../models/bundle/verify.js';
import { TacetError } from '../../proto/errors.js';
import { type Publication, parsePublication } from '../../proto/publication.js';
import type { ServiceClient } from '../http/client.js';

export interface ModelReference {
  readonly name: string;
  /** A version, or an alias such as `latest`. */
  readonly version: string;
}

export interface FetchOptions {
  readonly trustedKeys: readonly KeyObject[];
  readonly signal?: AbortSignal | undefined;
}

/** What a registry says of a model. */
export interface RegisteredModel extends ModelReference {
  readonly digest: string;
  readonly publisher: string;
  readonly status: 'published' | 'deprecated' | 'revoked';
  /** Why it was deprecated or revoked. */
  readonly reason: string | null;
}

/**
 * Puts a bundle at `directory`, once all of it was verified against pinned keys: the registry is not
 * trusted with anything but its availability and the status of the model. Throws `model-revoked` and
 * whatever `verifyBundle` throws; nothing is left behind then.
 */
export async function fetchModel(
  registry: ServiceClient,
  { name, version }: ModelReference,
  directory: string,
  { trustedKeys, signal }: FetchOptions,
): Promise<RegisteredModel> {
  const path = `/v1/models/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
  const model = await registry.json<RegisteredModel & Publication>('GET', path, undefined, {
    signal,
  });
  if (model.status === 'revoked')
    throw new TacetError(
      'model-revoked',
      `${name} ${model.version} was revoked by ${model.publisher}: ${model.reason ?? 'no reason'}`,
    );
  // Checked before any name in it becomes a path.
  const { digest, files } = parsePublication({ digest: model.digest, files: model.files });
  await createFolder(directory, async (building) => {
    for (const [file, blob] of Object.entries(files)) {
      await registry.downloadTo(join(building, file), blob, { signal });
    }
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
