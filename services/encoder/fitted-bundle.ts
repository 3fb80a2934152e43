import type { KeyObject } from 'node:crypto';
import { type Bundle, openBundle } from '../../models/bundle/bundle.js';
import type { Manifest } from '../../models/bundle/manifest.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { type LabelScheme, loadLabelScheme } from '../../models/text/label-scheme.js';
import { TOKENISATION } from '../../models/text/tokeniser.js';
import { TacetError } from '../../proto/errors.js';

/** A verified bundle with the embeddings and the label scheme that it was trained on. */
export interface FittedBundle {
  readonly bundle: Bundle;
  readonly embeddings: Embeddings;
  readonly scheme: LabelScheme;
}

export interface FittedBundleOptions {
  readonly trustedKeys: readonly KeyObject[];
  readonly embeddings: Embeddings;
  /** A label scheme's name or file; the bundle's own by default. */
  readonly scheme?: string | undefined;
}

/**
 * Opens a bundle and refuses it with `model-unsuitable` where tokenisation, embeddings or labels are
 * other than those it was trained on: its vectors would then mean nothing.
 */
export async function openFittedBundle(
  directory: string,
  kind: Manifest['kind'],
  { trustedKeys, embeddings, scheme: schemeName }: FittedBundleOptions,
): Promise<FittedBundle> {
  const bundle = await openBundle(directory, { trustedKeys });
  const { manifest } = bundle;
  const scheme = loadLabelScheme(schemeName ?? manifest.labelScheme.name);
  if (manifest.kind !== kind)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: expected a ${kind} bundle, found a ${manifest.kind}`,
    );
  requireSame(directory, 'the tokenisation', manifest.tokenisation, TOKENISATION);
  requireSame(directory, 'the embeddings', manifest.embeddings.identity, embeddings.identity);
  requireSame(directory, 'the label scheme', manifest.labelScheme.digest, scheme.digest);
  return { bundle, embeddings, scheme };
}

function requireSame(directory: string, what: string, wanted: string, found: string): void {
  if (wanted !== found)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: ${what} of the model is ${wanted}, the one given is ${found}`,
    );
}
