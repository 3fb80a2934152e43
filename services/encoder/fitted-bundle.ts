import type { Manifest } from '../../models/bundle/manifest.js';
import { type Trust, type VerifiedFiles, verifyBundle } from '../../models/bundle/verify.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { type LabelScheme, loadLabelScheme } from '../../models/text/label-scheme.js';
import { TOKENISATION } from '../../models/text/tokeniser.js';
import { TacetError } from '../../proto/errors.js';

/** A verified bundle with the embeddings and the label scheme that it was trained on. */
export interface FittedBundle {
  /** Its weights are bytes yet: none of them was parsed. */
  readonly verified: VerifiedFiles;
  readonly embeddings: Embeddings;
  readonly scheme: LabelScheme;
}

export interface FittedBundleOptions extends Trust {
  readonly embeddings: Embeddings;
  /** A label scheme's name or file; the bundle's own by default. */
  readonly scheme?: string | undefined;
}

/**
 * Verifies a bundle, and refuses it with `tokenisation-unsupported` or `model-unsuitable` where
 * tokenisation, embeddings or labels are other than those it was trained on: its vectors would then
 * mean nothing. Throws as `verifyBundle` does besides.
 */
export async function verifyFittedBundle(
  directory: string,
  kind: Manifest['kind'],
  { embeddings, scheme: schemeName, ...trust }: FittedBundleOptions,
): Promise<FittedBundle> {
  const verified = await verifyBundle(directory, trust);
  const { manifest } = verified;
  if (manifest.kind !== kind)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: expected a ${kind} bundle, found a ${manifest.kind}`,
    );
  requireTokenisation(directory, manifest.tokenisation);
  const scheme = loadLabelScheme(schemeName ?? manifest.labelScheme.name);
  requireSame(directory, 'the embeddings', manifest.embeddings.identity, embeddings.identity);
  requireSame(directory, 'the label scheme', manifest.labelScheme.digest, scheme.digest);
  return { verified, embeddings, scheme };
}

/** Throws `tokenisation-unsupported` where a model splits text in another way than this program. */
export function requireTokenisation(where: string, wanted: string): void {
  if (wanted === TOKENISATION) return;
  throw new TacetError(
    'tokenisation-unsupported',
    `${where}: the model was trained with tokenisation ${wanted}, this program has ` +
      `${TOKENISATION}; use the version of tacet that made it, or a newer model`,
  );
}

function requireSame(directory: string, what: string, wanted: string, found: string): void {
  if (wanted !== found)
    throw new TacetError(
      'model-unsuitable',
      `${directory}: ${what} of the model is ${wanted}, the one given is ${found}`,
    );
}
