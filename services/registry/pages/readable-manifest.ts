import { type Manifest, parseManifest } from '../../../models/bundle/manifest.js';
import type { Store } from '../../../pool-store/store.js';

/** The manifest of a published bundle; undefined where this version of Tacet cannot read it. */
export async function readableManifest(
  { models }: Store,
  digest: string,
): Promise<Manifest | undefined> {
  try {
    return parseManifest(await models.manifestOf(digest));
  } catch {
    return undefined;
  }
}
