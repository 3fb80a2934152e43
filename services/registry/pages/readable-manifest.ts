import { type Manifest, parseManifest } from '../../../models/bundle/manifest.js';
import type { Store } from '../../../pool-store/store.js';

/** The manifest of a published bundle; undefined where this version of Tacet cannot read it. */
export function readableManifest({ models }: Store, digest: string): Manifest | undefined {
  try {
    return parseManifest(models.manifestOf(digest));
  } catch {
    return undefined;
  }
}
