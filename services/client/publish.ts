import {
  listBundleFiles,
  MANIFEST_FILE,
  readBundleFile,
} from '../../models/bundle/bundle-files.js';
import { readManifest } from '../../models/bundle/manifest.js';
import { requirePublishable } from '../../models/bundle/publishable.js';
import { sha256Hex } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import type { Publication } from '../../proto/publication.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

export interface PublishedModel {
  readonly digest: string;
  readonly name: string;
  readonly version: string;
}

/**
 * Uploads the files of a bundle and publishes it; the registry verifies them against the
 * publisher's keys. Publishing the same bundle again changes nothing.
 */
export async function publish(
  directory: string,
  registry: ServiceClient,
  { signal, progress }: CallOptions = {},
): Promise<PublishedModel> {
  const names = await listBundleFiles(directory);
  if (!names.includes(MANIFEST_FILE))
    throw new TacetError('bundle-file-missing', `${directory}: there is no ${MANIFEST_FILE}`);
  requirePublishable(readManifest(await readBundleFile(directory, MANIFEST_FILE)));
  const files: Record<string, string> = {};
  for (const [done, name] of names.entries()) {
    progress?.({ step: 'publish', done, total: names.length, unit: 'files' });
    const bytes = await readBundleFile(directory, name);
    files[name] = sha256Hex(bytes);
    await registry.upload(bytes, { digest: files[name], kind: 'bundle-file' }, { signal });
  }
  const publication: Publication = { digest: files[MANIFEST_FILE] as string, files };
  const model = await registry.json<PublishedModel>('POST', PATHS.models, publication, { signal });
  if (model.digest !== publication.digest)
    throw new TacetError(
      'server-failed',
      `published ${publication.digest}, the registry answered with ${model.digest}`,
    );
  progress?.({ step: 'publish', done: names.length, total: names.length, unit: 'files' });
  return model;
}
